// check: x1 8 0.8492013012721876
// grid: 0.02
model BeltPair "two masses on a belt, with springs to the wall and to each other"
  parameter Real vb = 0.4, f1max = 1, f2max = 0.6;
  Real x1(start = 0, fixed = true), v1(start = 0.4, fixed = true), x2(start = 0, fixed = true), v2(start = 0.4, fixed = true);
  Real a1, a2, f1, f2, s1, s2, e1, e2;
  Integer m1(start = 0, fixed = true), m2(start = 0, fixed = true) "0 with the belt, -1 behind it, 1 ahead of it";
equation
  der(x1) = v1;
  der(v1) = a1;
  der(x2) = v2;
  der(v2) = a2;
  e1 = -2*x1 + 3*(x2 - x1);
  e2 = -3*(x2 - x1) - 0.5*x2;
  a1 = e1 - f1;
  0.5*a2 = e2 - f2;
  s1 = e1;
  s2 = e2;
  f1 = if m1 == 0 then s1 else if m1 == 1 then f1max else -f1max;
  f2 = if m2 == 0 then s2 else if m2 == 1 then f2max else -f2max;
  m1 = if pre(m1) == 0 then (if s1 > f1max then 1 else if s1 < -f1max then -1 else 0)
    else if pre(m1) == 1 then (if v1 < vb then 0 else 1) else (if v1 > vb then 0 else -1);
  m2 = if pre(m2) == 0 then (if s2 > f2max then 1 else if s2 < -f2max then -1 else 0)
    else if pre(m2) == 1 then (if v2 < vb then 0 else 1) else (if v2 > vb then 0 else -1);
  when m1 == 0 then
    reinit(v1, vb);
  end when;
  when m2 == 0 then
    reinit(v2, vb);
  end when;
end BeltPair;
