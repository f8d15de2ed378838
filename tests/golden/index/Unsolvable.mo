// tolerance: 1e-3
// exit: 1
model Unsolvable "Two equations that say the same in another way"
  Real x(start = 1), y(start = 1), z;
equation
  x*y = z;
  2*log(x) + 2*log(y) = 2*log(z);
  z = 2 + sin(time);
end Unsolvable;
