model M
  Real x[3] = {1, 2, 3} + {1, 2};
  Real y[2] = {1, 2} + 1;
end M;
