// check: q 1 0.4166730504921373
// grid: 0.01
model MaxOfThree "three ideal diodes lead the largest of sin, cos/2 and 0 to 1 Ohm"
  Real u[3] = {sin(2*3.141592653589793*time), 0.5*cos(2*3.141592653589793*time), 0};
  Real v, i[3], s[3], q(start = 0, fixed = true);
equation
  for k in 1:3 loop
    u[k] - v = s[k]*(if s[k] < 0 then 1 else 1e-9);
    i[k] = s[k]*(if s[k] < 0 then 1e-9 else 1);
  end for;
  v = sum(i);
  der(q) = v;
end MaxOfThree;
