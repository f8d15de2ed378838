// check: s 2 33.39
// grid: 0.2
model Tower "three blocks: slide from 1/2, 0.8 (C) and 1 (B) on; v = 1.49, 0.49, 0.27"
  parameter Real c[3] = {1, 0.6, 0.2};
  Real v[3](each start = 0, each fixed = true), a[3], f[4], z[3], d[3], s;
equation
  der(v) = a;
  f[4] = 0;
  a[1] = 2*time - f[1] - f[2];
  a[2] = f[2] - f[3];
  a[3] = f[3] - f[4];
  for k in 1:3 loop
    f[k] = if z[k] > c[k] then c[k] else if z[k] < -c[k] then -c[k] else z[k];
    d[k] = if z[k] > c[k] then z[k] - c[k] else if z[k] < -c[k] then z[k] + c[k] else 0;
  end for;
  d[1] = a[1];
  d[2] = a[1] - a[2];
  d[3] = a[2] - a[3];
  s = v[1] + 10*v[2] + 100*v[3];
end Tower;
