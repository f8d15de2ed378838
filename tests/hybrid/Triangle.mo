// check: x 3.3 0.3000059999999996
// grid: 5e-3
model Triangle "an integrator and a comparator of gain 1e6 whose own unknown is what it compares: its unstable piece is as thin as rounding"
  parameter Real G = 1e6;
  Real s(start = 1), x(start = 0, fixed = true), p, q, r;
equation
  p = 0.5*s;
  q = p + x;
  r = G*q;
  s = if r > 1 then 1 else if r < -1 then -1 else r;
  der(x) = -s;
end Triangle;
