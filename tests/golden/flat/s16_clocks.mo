/* Partitions of three clocks (16.7): a base clock, a slower one and one that is
 * shifted, with values that go in, between them and out (16.5). */
model s16_clocks
  Real x(start = 1, fixed = true), y;
  Real u, v(start = 2), w(start = 3), s, t;
  Clock c = Clock(1, 10);
  Boolean first;
equation
  der(x) = -x + y;
  u = sample(x, c);
  v = previous(v) + u;
  t = v;
  w = subSample(v, 4) - previous(w)*interval(w);
  s = shiftSample(t, 3, 2);
  y = hold(w);
  when subSample(c, 4) then
    first = firstTick();
  end when;
end s16_clocks;
