model TooMany "One equation more than unknowns"
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x + y;
  y = 2*x;
  y = x + sin(time);
end TooMany;
