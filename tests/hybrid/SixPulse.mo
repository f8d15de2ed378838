// check: q 1 1.621135735448576
// grid: 0.01
model SixPulse "a bridge of six diodes of 0.01, a resistor of 1"
  parameter Real r = 0.01, g = 0.01;
  Real s[6], v[6], i[6], p, n, u[3], q(start = 0, fixed = true);
equation
  for k in 1:3 loop
    u[k] = sin(2*3.141592653589793*(time - (k - 1)/3));
    v[k] = u[k] - p;
    v[k + 3] = n - u[k];
  end for;
  for k in 1:6 loop
    v[k] = s[k]*(if s[k] < 0 then 1 else r);
    i[k] = s[k]*(if s[k] < 0 then g else 1);
  end for;
  i[1] + i[2] + i[3] = p - n;
  i[4] + i[5] + i[6] = p - n;
  der(q) = p - n;
end SixPulse;
