model ParametersDisagree "An equation between parameters that does not hold"
  parameter Real a = 1, b = 2;
  Real x, y;
equation
  x = 2*a;
  x = b + 1;
  y = time;
end ParametersDisagree;
