/* All variables of an equation have one clock (16.7). */
model s16_7_two_clocks
  Real a = sample(time, Clock(1, 10)), b = sample(time, Clock(1, 7)), c;
equation
  c = a + b;
end s16_7_two_clocks;
