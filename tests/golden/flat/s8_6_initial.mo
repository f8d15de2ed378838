model M
  Real x, y(start = 2, fixed = true);
  parameter Real p(fixed = false);
initial equation
  x = 1;
  p = x + y;
equation
  der(x) = -p*x;
  der(y) = x;
end M;
