model M
  Real x[2] = [1, 2; 3, 4]*{1, 2, 3};
end M;
