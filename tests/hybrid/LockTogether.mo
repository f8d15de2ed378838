// check: w2 3 1.7
// grid: 0.01
model LockTogether "two clutches whose slips end at the same instant, 3/2, and that hold afterwards"
  Real w1(start = 3, fixed = true), w2(start = 1.5, fixed = true), w3(start = 0, fixed = true), a1, a2, a3, f, g, s, r;
  Boolean lf(start = false, fixed = true), lg(start = false, fixed = true);
  Real push = if time >= 2 then 0.6 else 0;
equation
  der(w1) = a1;
  der(w2) = a2;
  der(w3) = a3;
  a1 = push - f;
  a2 = f - g;
  a3 = g;
  lf = pre(lf) or w1 <= w2;
  lg = pre(lg) or w2 <= w3;
  f = if not lf or s > 1 then 1 else if s < -1 then -1 else s;
  a1 - a2 = if not lf or s > 1 then s - 1 else if s < -1 then s + 1 else 0;
  g = if not lg or r > 1 then 1 else if r < -1 then -1 else r;
  a2 - a3 = if not lg or r > 1 then r - 1 else if r < -1 then r + 1 else 0;
end LockTogether;
