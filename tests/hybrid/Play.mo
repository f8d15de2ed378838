// check: p1 10 -0.5106454127157599
// grid: 0.01
model Play "two backlash operators and a saturation in a loop"
  Real x(start = 0, fixed = true), p1(start = 0, fixed = true), p2(start = 0, fixed = true), u, w;
  Integer m1(start = 0, fixed = true), m2(start = 0, fixed = true);
  Real du, dw;
equation
  u = sin(time) - 0.4*x;
  du = cos(time) - 0.4*der(x);
  m1 = if pre(m1) == 0 then (if u - p1 >= 0.2 and du > 0 then 1 else if u - p1 <= -0.2 and du < 0 then -1 else 0)
    else if pre(m1) == 1 then (if du < 0 then 0 else 1) else (if du > 0 then 0 else -1);
  der(p1) = if m1 == 0 then 0 else du;
  w = 2*p1;
  dw = 2*der(p1);
  m2 = if pre(m2) == 0 then (if w - p2 >= 0.1 and dw > 0 then 1 else if w - p2 <= -0.1 and dw < 0 then -1 else 0)
    else if pre(m2) == 1 then (if dw < 0 then 0 else 1) else (if dw > 0 then 0 else -1);
  der(p2) = if m2 == 0 then 0 else dw;
  der(x) = (if p2 > 0.5 then 0.5 else if p2 < -0.5 then -0.5 else p2) - 0.2*x;
end Play;
