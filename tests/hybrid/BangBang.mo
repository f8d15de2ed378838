// check: x 6 0.3978736156463512
// grid: 0.02
model BangBang "a relay with hysteresis drives a mass with dry friction to and fro"
  Real x(start = 0.7, fixed = true), v(start = 0, fixed = true), a, f, s;
  Boolean up(start = false, fixed = true) "the relay pushes forward";
equation
  up = x < -0.2 or pre(up) and x < 0.2;
  der(x) = v;
  der(v) = a;
  a = (if up then 1 else -1) - f;
  f = if v > 0 or v >= 0 and s > 0.25 then 0.25 else if v < 0 or v <= 0 and s < -0.25 then -0.25 else s;
  a = if v > 0 or v >= 0 and s > 0.25 then s - 0.25 else if v < 0 or v <= 0 and s < -0.25 then s + 0.25 else 0;
end BangBang;
