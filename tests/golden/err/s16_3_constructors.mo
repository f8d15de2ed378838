/* Clocks that cannot be (16.3), and arguments that cannot (16.5). */
model s16_3_constructors
  Clock a = Clock(0.0), b = Clock(0, 10), c = Clock("fast"), e = Clock(1, 0);
  Real x = sample(time, Clock(0.1)), y = subSample(x, -1), z = shiftSample(x, 1, 0);
  Integer k(start = 1);
  Real w = sample(time, 0.1);
equation
  when Clock(0.5) then
    k = previous(k) + 1;
  elsewhen Clock(0.2) then
    k = 2;
  end when;
end s16_3_constructors;
