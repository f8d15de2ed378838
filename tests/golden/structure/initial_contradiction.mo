model InitialContradiction "The initial equation does not fit the constraint"
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -y;
  y = 2*x;
initial equation
  y = 7;
end InitialContradiction;
