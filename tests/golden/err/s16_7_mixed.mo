/* What has a clock and what has none meet by sample() and hold() only (16.7). */
model s16_7_mixed
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  y = previous(y) + x;
  x = hold(y);
  sample(x, Clock(0.1)) = y;
end s16_7_mixed;
