model Clk
  Clock c = Clock(1, 10);
  Real x(start = 0), s, b, u, sub, mixed;
  Clock sc = subSample(shiftSample(c, 1, 2), 2);
  Integer n(start = 0), m(start = 0);
equation
  when c then
    x = previous(x) + 1;
  end when;
  s = shiftSample(x, 3, 2);
  b = backSample(shiftSample(x, 4), 2);
  u = superSample(x, 2);
  sub = subSample(x, 3);
  when sc then
    n = previous(n) + 1;
  end when;
  when superSample(c, 4) then
    m = previous(m) + 1;
  end when;
  mixed = hold(x) + hold(s);
equation
  assert(time < 0.999 or abs(x - (11)) < 2e-6*(1 + abs(11)), "x");
  assert(time < 0.999 or abs(s - (10)) < 2e-6*(1 + abs(10)), "s");
  assert(time < 0.999 or abs(b - (11)) < 2e-6*(1 + abs(11)), "b");
  assert(time < 0.999 or abs(u - (11)) < 2e-6*(1 + abs(11)), "u");
  assert(time < 0.999 or abs(sub - (10)) < 2e-6*(1 + abs(10)), "sub");
  assert(time < 0.999 or abs(n - (5)) < 2e-6*(1 + abs(5)), "n");
  assert(time < 0.999 or abs(m - (41)) < 2e-6*(1 + abs(41)), "m");
  assert(time < 0.999 or abs(mixed - (21)) < 2e-6*(1 + abs(21)), "mixed");
end Clk;
