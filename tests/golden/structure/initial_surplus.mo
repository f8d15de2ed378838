model InitialSurplus "Three conditions for one state"
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
initial equation
  der(x) = 0;
end InitialSurplus;
