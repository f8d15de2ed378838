// check: last 2.8 2.75
// grid: 0.02
// seen: 0.001
model Ball "g = 2, from 1: hits at 1, 2, 2.5, 2.75 with half the speed"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -2;
  when h <= 0 then
    last = time;
    reinit(v, -0.5*pre(v));
  end when;
end Ball;
