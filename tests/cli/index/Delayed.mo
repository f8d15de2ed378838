model Delayed
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -y;
  y = delay(x, 0.1);
end Delayed;
