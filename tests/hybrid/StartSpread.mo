// check: p 0.5 0.8
// grid: 1e-06
model StartSpread "a point on the circle, by the unit vector to it; only the picture, twice as large, has start values"
  Real x, p, e[2], s, u[2](start = {1, 2}), z(start = 0, fixed = true);
equation
  u = {2*x, 2*p};
  s = sqrt(x^2 + p^2);
  e = {x, p}/s;
  e[1] = 0.6;
  s*e[2] = 0.8;
  der(z) = if p > 0.5 then 1 else 0;
end StartSpread;
