model NoGroundParallel "Two branches and no ground"
  Kit.Source source;
  Kit.Resistor R1, R2;
  Kit.Resistor R3(R = 3);
equation
  connect(source.p, R1.p);
  connect(R1.n, R2.p);
  connect(R1.n, R3.p);
  connect(R2.n, source.n);
  connect(R3.n, source.n);
end NoGroundParallel;
