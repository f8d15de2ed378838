// check: vA 2 0.84375
// grid: 0.01
model Train "B lies on A, force 2 t: A slides from 1/2 on, B on A from 5/4 on; wheels of mass 1 turn with A"
  parameter Integer n = 20 "wheels";
  parameter Real k[n] = (1:n)/sqrt(n*(n + 1)*(2*n + 1)/6);
  Real vA(start = 0, fixed = true), vB(start = 0, fixed = true), aA, aB, fA, fB, sA, sB;
  Real a[n], f[n + 1];
equation
  der(vA) = aA;
  der(vB) = aB;
  aA = 2*time - fA - fB - f[1];
  aB = fB;
  for i in 1:n loop
    a[i] = k[i]*aA;
    f[i] = f[i + 1] + k[i]*a[i];
  end for;
  f[n + 1] = 0;
  fA = if sA > 1 then 1 else if sA < -1 then -1 else sA;
  aA = if sA > 1 then sA - 1 else if sA < -1 then sA + 1 else 0;
  fB = if sB > 0.5 then 0.5 else if sB < -0.5 then -0.5 else sB;
  aA - aB = if sB > 0.5 then sB - 0.5 else if sB < -0.5 then sB + 0.5 else 0;
end Train;
