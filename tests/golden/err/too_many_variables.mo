model M "the limit is reported once, where it is passed"
  Real x[50000, 101];
  Real y[50000, 101];
end M;
