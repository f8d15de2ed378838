// check: c 2 -0.5128944648965303
// grid: 2e-3
model StartBranch "an amplifier of gain 15,000 with positive feedback charges c; of its three states at the start the one that y is given"
  parameter Real V0 = 15000, R1 = 1000, R2 = 1500;
  Real y(start = 1), p, i1, i2, c(start = 0.1, fixed = true);
equation
  y = if V0*(p - c) > 1 then 1 else if V0*(p - c) < -1 then -1 else V0*(p - c);
  R1*i1 = y - p;
  R2*i2 = p;
  i1 = i2;
  der(c) = y - c;
end StartBranch;
