model M
  parameter Real a = b + 1;
  parameter Real b = 2*a;
  Real y = a;
end M;
