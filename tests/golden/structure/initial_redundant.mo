// exit: 0
model InitialRedundant "Says twice the same about the start"
  Real x(start = 1, fixed = true), y(start = 2, fixed = true);
equation
  der(x) = -y;
  y = 2*x;
end InitialRedundant;
