model M
  Real x = time, a, b;
equation
  (a, b) = spatialDistribution(x, x, x, true, {0.1, 1}, {0, 0});
end M;
