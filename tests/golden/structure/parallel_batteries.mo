model ParallelBatteries "Two batteries with different voltages"
  Kit.Battery a(V = 9), b(V = 12);
  Kit.Resistor R;
  Kit.Ground ground;
equation
  connect(a.p, b.p);
  connect(a.p, R.p);
  connect(a.n, ground.p);
  connect(b.n, ground.p);
  connect(R.n, ground.p);
end ParallelBatteries;
