// check: x 6 -0.07844400845258204
// grid: 0.01
model TwoRelays "two relays with hysteresis, each of which drives the lag that the other one looks at"
  Real x(start = 0, fixed = true), y(start = 0.1, fixed = true);
  Boolean p(start = true, fixed = true), q(start = false, fixed = true);
equation
  der(x) = (if p then 1 else -1) - x;
  der(y) = (if q then 1.5 else -1) - 0.7*y;
  p = y < 0.4 and (pre(p) or y < -0.2);
  q = x > -0.3 and (pre(q) or x > 0.5);
end TwoRelays;
