model CircularParameters "a needs b, b needs a"
  parameter Real a = 2*b, b = c + 1, c = a/3;
  Real x(start = 1, fixed = true);
equation
  der(x) = -a*x;
end CircularParameters;
