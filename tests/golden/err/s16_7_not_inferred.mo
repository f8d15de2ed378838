/* Something must say how much slower a clock ticks (16.7.5). */
model s16_7_not_inferred
  Integer n(start = 0), m(start = 0);
equation
  n = previous(n) + 1;
  m = subSample(n);
end s16_7_not_inferred;
