// check: h 4 0
// grid: 0.01
// seen: 0.001
model RestBall "g = 2, from 1, with half the speed: rests from 3 on, as a guard takes its weight"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Boolean flying(start = true, fixed = true);
equation
  der(h) = v;
  der(v) = if flying then -2 else 0;
  flying = not (h <= 0 and v <= 0);
  when h < 0 then
    reinit(v, -0.5*pre(v));
  end when;
end RestBall;
