model ActiveFilter "Low-pass filter of second order with an operational amplifier (Sallen and Key)"
  import Takt.Electrical.*;
  StepVoltage source(V = 1, startTime = 1e-3);
  Resistor r1(R = 10e3), r2(R = 10e3);
  Capacitor c1(C = 22e-9, v(start = 0, fixed = true)), c2(C = 10e-9, v(start = 0, fixed = true));
  OpAmp amplifier(Rin = 1e7);
  Resistor load(R = 10e3);
  Ground ground;
equation
  connect(source.n, ground.p);
  connect(source.p, r1.p);
  connect(r1.n, r2.p);
  connect(r1.n, c1.p);
  connect(r2.n, c2.p);
  connect(r2.n, amplifier.inP);
  connect(c1.n, amplifier.out);
  connect(amplifier.inN, amplifier.out);
  connect(amplifier.out, load.p);
  connect(load.n, ground.p);
  connect(c2.n, ground.p);
  annotation(experiment(StopTime = 0.005, Interval = 1e-5));
end ActiveFilter;
