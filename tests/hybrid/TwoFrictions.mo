// check: vA 2 1.625
// grid: 0.01
model TwoFrictions "B lies on A, force 2 t: A slides from 1/2 on, B on A from 1 on"
  Real vA(start = 0, fixed = true), vB(start = 0, fixed = true), aA, aB, fA, fB, sA, sB;
equation
  der(vA) = aA;
  der(vB) = aB;
  aA = 2*time - fA - fB;
  aB = fB;
  fA = if sA > 1 then 1 else if sA < -1 then -1 else sA;
  aA = if sA > 1 then sA - 1 else if sA < -1 then sA + 1 else 0;
  fB = if sB > 0.5 then 0.5 else if sB < -0.5 then -0.5 else sB;
  aA - aB = if sB > 0.5 then sB - 0.5 else if sB < -0.5 then sB + 0.5 else 0;
end TwoFrictions;
