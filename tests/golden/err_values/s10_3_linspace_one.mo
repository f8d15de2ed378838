model M
  Real x[1] = linspace(1, 2, 1);
end M;
