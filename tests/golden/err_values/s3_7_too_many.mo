model M
  Real x = sin(1, 2);
  Real y = atan2(1);
end M;
