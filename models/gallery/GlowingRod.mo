model GlowingRod "A steel rod is heated at one end and radiates at the other"
  import Takt.Thermal.*;
  Rod rod(n = 20, l = 0.5, A = 1e-3);
  FixedHeatFlow burner(Q = 60);
  Radiation radiation(A = 0.02);
  FixedTemperature room(T = 293.15);
equation
  connect(burner.a, rod.a);
  connect(rod.b, radiation.a);
  connect(radiation.b, room.a);
  annotation(experiment(StopTime = 20000, Interval = 10));
end GlowingRod;
