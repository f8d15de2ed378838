// exit: 3
model M "spatialDistribution is refused by name"
  Real x = time;
  Real y = spatialDistribution(x, x, x, true);
end M;
