// tolerance: 1e-3
// From these start values no consistent point is found
// exit: 1
model NoStart
  Real x(start = -4, fixed = true), y(start = 1);
equation
  der(x) = y;
  exp(x) + x^2 + y^2 = -1 + sin(time);
end NoStart;
