// tolerance: 1e-3
// exit: 1
model Contradiction "Two equations that cannot both hold"
  Real x(start = 1), y(start = 1), z;
equation
  x*y = z;
  log(x) + log(y) = log(z) + 1;
  z = 2 + sin(time);
end Contradiction;
