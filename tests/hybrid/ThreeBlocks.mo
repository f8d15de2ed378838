// check: vA 2 0.80078125
// grid: 0.02
model ThreeBlocks "C on B on A, force t on A: A slides from 1/2, C on B from 11/16, B on A from 15/16"
  Real vA(start = 0, fixed = true), vB(start = 0, fixed = true), vC(start = 0, fixed = true);
  Real aA, aB, aC, fA, fB, fC, sA, sB, sC;
equation
  der(vA) = aA;
  der(vB) = aB;
  der(vC) = aC;
  aA = time - fA - fB;
  aB = fB - fC;
  aC = fC;
  fA = if sA > 0.5 then 0.5 else if sA < -0.5 then -0.5 else sA;
  aA = if sA > 0.5 then sA - 0.5 else if sA < -0.5 then sA + 0.5 else 0;
  fB = if sB > 0.25 then 0.25 else if sB < -0.25 then -0.25 else sB;
  aA - aB = if sB > 0.25 then sB - 0.25 else if sB < -0.25 then sB + 0.25 else 0;
  fC = if sC > 0.0625 then 0.0625 else if sC < -0.0625 then -0.0625 else sC;
  aB - aC = if sC > 0.0625 then sC - 0.0625 else if sC < -0.0625 then sC + 0.0625 else 0;
end ThreeBlocks;
