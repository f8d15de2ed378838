model M
  Real x = time, a, b;
equation
  (a, b) = spatialDistribution(x, x, x, true, {0, 0.5, 1}, {0, 0});
end M;
