// check: q 1 0.62401344024149
// grid: 0.02
model Bridge "four diodes: |u|/(1 + 2 r (1 + g)/(1 - g r)), r = g = 0.01, times 2/pi"
  parameter Real r = 0.01, g = 0.01;
  Real s[4], v[4], i[4], u, load, q(start = 0, fixed = true);
equation
  for k in 1:4 loop
    v[k] = s[k]*(if s[k] < 0 then 1 else r);
    i[k] = s[k]*(if s[k] < 0 then g else 1);
  end for;
  u = sin(2*3.141592653589793*time);
  // a to p, b to p, n to a, n to b; the load from p to n is 1
  u = v[1] + load + v[4];
  u = -(v[2] + load + v[3]);
  u = v[1] - v[2];
  load = i[1] + i[2];
  i[1] + i[2] = i[3] + i[4];
  der(q) = load;
end Bridge;
