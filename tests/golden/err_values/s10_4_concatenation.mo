model M
  Real x[2, 3] = [1, 2; 3, 4, 5];
end M;
