// check: y 2 -4.199373895940171
// grid: 1e-5
model ChosenRoot "of three roots the one that the simplified model leads to, at -2.1; from the start value it would be 0.25"
  Real x(start = 0), y(start = 0, fixed = true);
equation
  x^3 - 4*x + 1 = homotopy(0.2*sin(time), -20);
  der(y) = x;
end ChosenRoot;
