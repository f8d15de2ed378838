model M
  Real x = time, a, b;
equation
  a = spatialDistribution(x, x, x);
  b = x;
end M;
