model M
  Real x = time, a, b;
equation
  (a, b) = spatialDistribution(x, x, x, true, {0, 1}, {x, 0});
end M;
