model Spatial
  Real x(start = 0, fixed = true), o0, o1;
equation
  der(x) = 2;
  (o0, o1) = spatialDistribution(time, 5, x, true, {0, 0.5, 1}, {3, 3, 1});
equation
  assert(time < 0.999 or abs(o1 - (0.5)) < 2e-6*(1 + abs(0.5)), "o1");
end Spatial;
