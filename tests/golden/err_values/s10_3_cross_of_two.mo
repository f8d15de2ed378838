model M
  Real x[3] = cross({1, 2}, {3, 4});
end M;
