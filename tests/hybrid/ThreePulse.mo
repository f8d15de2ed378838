// check: q 1 0.818564900457303
// grid: 0.01
model ThreePulse "three diodes of 0.01 from three phases to a resistor of 1"
  parameter Real r = 0.01, g = 0.01;
  Real s[3], v[3], i[3], y, q(start = 0, fixed = true);
equation
  for k in 1:3 loop
    v[k] = s[k]*(if s[k] < 0 then 1 else r);
    i[k] = s[k]*(if s[k] < 0 then g else 1);
    v[k] = sin(2*3.141592653589793*(time - (k - 1)/3)) - y;
  end for;
  y = i[1] + i[2] + i[3];
  der(q) = y;
end ThreePulse;
