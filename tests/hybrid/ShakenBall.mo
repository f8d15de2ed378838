// check: h 2 -0.02233389992060658
// grid: 0.01
// seen: 1e-4
model ShakenBall "bounces on a floor that moves up and down"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Real floor = 0.1*sin(3*time), w = 0.3*cos(3*time);
  discrete Real n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -10;
  when h <= floor and v < w then
    reinit(v, w - 0.7*(pre(v) - w));
    n = pre(n) + 1;
  end when;
end ShakenBall;
