// check: q 1 0.7475000000000001
// grid: 0.01
model Limiter "gain 100 with feedback, limited to 1 from 0.505 on"
  Real s, y, q(start = 0, fixed = true);
equation
  s = 100*(2*time - y);
  y = if s > 1 then 1 else if s < -1 then -1 else s;
  der(q) = y;
end Limiter;
