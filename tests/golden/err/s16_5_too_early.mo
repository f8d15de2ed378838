/* backSample() needs a clock that was shifted (16.5.2). */
model s16_5_too_early
  Real a(start = 0) = sample(time, Clock(0.1)), b;
equation
  b = backSample(a, 2);
end s16_5_too_early;
