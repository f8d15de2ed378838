/* Something must say when a clock ticks (16.7.5). */
model s16_7_not_inferred
  Integer n(start = 0);
equation
  n = previous(n) + 1;
end s16_7_not_inferred;
