model M
  Real x = time, a, b;
equation
  (a, b) = spatialDistribution(x, x, x, 1.0);
end M;
