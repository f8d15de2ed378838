model ParallelSources "Two voltage sources between the same points"
  Kit.Source a, b(f = 2);
  Kit.Resistor R;
  Kit.Ground ground;
equation
  connect(a.p, b.p);
  connect(a.p, R.p);
  connect(a.n, ground.p);
  connect(b.n, ground.p);
  connect(R.n, ground.p);
end ParallelSources;
