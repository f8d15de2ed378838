model CapacitorLoop "Capacitors in a loop with a source, coils at a node of their own: constraints of both kinds"
  import Takt.Electrical.*;
  SineVoltage source(V = 5, f = 100);
  Capacitor c1(C = 1e-6), c2(C = 2e-6), c3(C = 1e-6, v(start = 0, fixed = true));
  Inductor l1(L = 1e-3), l2(L = 2e-3, i(start = 0, fixed = true));
  Resistor lead(R = 10), r1(R = 100), r2(R = 50), r3(R = 200);
  Ground ground;
equation
  connect(source.n, ground.p);
  connect(source.p, c1.p);
  connect(c1.n, c2.p);
  connect(c2.n, ground.p);
  connect(c1.n, r1.p);
  connect(r1.n, l1.p);
  connect(l1.n, l2.p);
  connect(l2.n, r2.p);
  connect(r2.n, ground.p);
  connect(l1.p, c3.p);
  connect(c3.n, r3.p);
  connect(r3.n, ground.p);
  connect(source.p, lead.p);
  connect(lead.n, r3.p);
  annotation(experiment(StopTime = 0.03, Interval = 1e-5));
end CapacitorLoop;
