model Contradiction "x cannot be 1 and 2"
  Real x, y;
equation
  x = 1;
  y = x + 1;
  y = 5;
end Contradiction;
