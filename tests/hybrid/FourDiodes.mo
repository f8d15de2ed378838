// check: i 1 4.9800796812749
// grid: 1e-09
model FourDiodes "four diodes of 0.01 and a resistor of 10 across 50, no start values"
  Real s[4], v[4], i;
equation
  for k in 1:4 loop
    v[k] = s[k]*(if s[k] < 0 then 1 else 0.01);
    i = s[k]*(if s[k] < 0 then 0.01 else 1);
  end for;
  50 = v[1] + v[2] + v[3] + v[4] + 10*i;
end FourDiodes;
