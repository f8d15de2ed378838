model M
  parameter Real p = 2;
  Real x = 3*p;
equation
  assert(x < 5, "x is too large");
end M;
