model M
  Real x[100000, 100000];
end M;
