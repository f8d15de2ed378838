model M
  constant Real a = b + 1;
  constant Real b = 2*a;
  Real y = a;
end M;
