model CommonEmitter "Amplifier with one transistor"
  import Takt.Electrical.*;
  parameter Real supply(unit = "V") = 12 "Supply voltage";
  ConstantVoltage battery(V = supply);
  SineVoltage signal(V = 0.01, f = 1000);
  Resistor upper(R = 47e3), lower(R = 10e3), collector(R = 2.2e3), emitter(R = 470);
  Capacitor into(C = 1e-6, v(start = 0, fixed = true));
  Capacitor bypass(C = 100e-6, v(start = 0, fixed = true));
  Npn transistor;
  Ground ground;
equation
  connect(battery.n, ground.p);
  connect(signal.n, ground.p);
  connect(battery.p, upper.p);
  connect(battery.p, collector.p);
  connect(upper.n, lower.p);
  connect(lower.n, ground.p);
  connect(signal.p, into.p);
  connect(into.n, lower.p);
  connect(transistor.b, lower.p);
  connect(transistor.c, collector.n);
  connect(transistor.e, emitter.p);
  connect(emitter.n, ground.p);
  connect(bypass.p, emitter.p);
  connect(bypass.n, ground.p);
  annotation(experiment(StopTime = 0.1, Interval = 1e-5));
end CommonEmitter;
