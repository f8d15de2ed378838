model HotResistor "A resistor that warms up and then conducts less"
  Takt.Electrical.ConstantVoltage battery(V = 12);
  Takt.Electrical.Resistor filament(R = 2, alpha = 4.5e-3, useHeatPort = true);
  Takt.Electrical.Ground ground;
  Takt.Thermal.HeatCapacitor metal(C = 0.05, T(start = 300.15, fixed = true));
  Takt.Thermal.Radiation radiation(A = 1e-5, eps = 0.4);
  Takt.Thermal.Conductor socket(G = 2e-3);
  Takt.Thermal.FixedTemperature room(T = 300.15);
equation
  connect(battery.p, filament.p);
  connect(battery.n, filament.n);
  connect(battery.n, ground.p);
  connect(filament.heatPort, metal.a);
  connect(metal.a, radiation.a);
  connect(metal.a, socket.a);
  connect(radiation.b, room.a);
  connect(socket.b, room.a);
  annotation(experiment(StopTime = 5, Interval = 0.005));
end HotResistor;
