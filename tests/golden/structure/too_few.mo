model TooFew "Nothing determines z"
  Real x(start = 1, fixed = true), y, z;
equation
  der(x) = -x + y;
  y = 2*x + z;
end TooFew;
