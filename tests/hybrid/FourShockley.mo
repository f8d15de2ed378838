// check: i 1 4.708196739072980
// grid: 1e-06
model FourShockley "four diodes i = 1e-12 (exp(v/0.025) - 1) and a resistor of 10 across 50, no start values"
  Real v[4], i, z(start = 0, fixed = true);
equation
  for k in 1:4 loop
    i = 1e-12*(exp(v[k]/0.025) - 1);
  end for;
  50 = v[1] + v[2] + v[3] + v[4] + 10*i;
  der(z) = if i > 1 then 1 else 0;
end FourShockley;
