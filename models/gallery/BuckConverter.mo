model BuckConverter "Step-down converter: switch, diode, choke, capacitor"
  import Takt.Electrical.*;
  ConstantVoltage battery(V = 24);
  Switch switch;
  IdealDiode diode;
  Inductor choke(L = 1e-3, i(start = 0, fixed = true));
  Capacitor smoother(C = 100e-6, v(start = 0, fixed = true));
  Resistor load(R = 5);
  Ground ground;
  Takt.Blocks.Sources.BooleanPulse beat(period = 1e-4, duty = 0.5);
equation
  connect(battery.n, ground.p);
  connect(battery.p, switch.p);
  connect(switch.n, choke.p);
  connect(diode.n, switch.n);
  connect(diode.p, ground.p);
  connect(choke.n, smoother.p);
  connect(smoother.p, load.p);
  connect(smoother.n, ground.p);
  connect(load.n, ground.p);
  connect(beat.y, switch.closed);
  annotation(experiment(StopTime = 0.02, Interval = 2e-6));
end BuckConverter;
