model M
  Real x = 1;
  Real x = 2;
end M;
