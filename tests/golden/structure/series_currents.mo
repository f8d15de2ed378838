model SeriesCurrents "Two current sources in a row"
  Kit.CurrentSource a, b(f = 2);
  Kit.Resistor R;
  Kit.Ground ground;
equation
  connect(a.n, b.p);
  connect(b.n, R.p);
  connect(R.n, ground.p);
  connect(a.p, ground.p);
end SeriesCurrents;
