/* Equations of a clock determine variables of this clock. */
model s16_7_unmatched
  Real a, b;
equation
  a = sample(time, Clock(0.1));
  2*a = 1 + sample(time);
  b = hold(a) + 0*b;
end s16_7_unmatched;
