model HotMirror "Current mirror whose transistors heat themselves and each other"
  import Takt.Electrical.*;
  import Takt.Thermal.*;
  ConstantVoltage battery(V = 15);
  Resistor reference(R = 1.42e3), load(R = 100);
  PowerNpn left(crystal(T(start = 300.15, fixed = true))), right(crystal(T(start = 300.15, fixed = true)));
  Ground ground;
  HeatCapacitor sink(C = 0.2, T(start = 300.15, fixed = true));
  Takt.Thermal.Conductor near(G = 0.05), far(G = 0.05), air(G = 0.01);
  FixedTemperature room(T = 300.15);
equation
  connect(battery.n, ground.p);
  connect(battery.p, reference.p);
  connect(battery.p, load.p);
  connect(reference.n, left.c);
  connect(left.c, left.b);
  connect(left.b, right.b);
  connect(load.n, right.c);
  connect(left.e, ground.p);
  connect(right.e, ground.p);
  connect(left.case, near.a);
  connect(right.case, far.a);
  connect(near.b, sink.a);
  connect(far.b, sink.a);
  connect(sink.a, air.a);
  connect(air.b, room.a);
  annotation(experiment(StopTime = 60, Interval = 0.01), Documentation(info = "The right transistor has 14 V across it and warms up: it conducts more than it mirrors, until the sink has warmed the left one too. Circuit simulators that know networks alone cannot close this circle (Cellier and Kofman, 8.11)."));
end HotMirror;
