model M
  type E = enumeration(one, two);
  Real a[E] = {1, 2};
  Real b[Boolean] = {1, 2};
  Real c[2] = {1, 2};
  Real x = a[1];
  Real y = b[E.one];
  Real z = c[true];
end M;
