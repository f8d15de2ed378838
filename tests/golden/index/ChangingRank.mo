// tolerance: 1e-3
// At the start the factor of der(b) is 0, beside it not: ranks change
model ChangingRank
  Real a(start = 0, fixed = true), b(start = 1, fixed = true);
equation
  der(a) = 1;
  a*der(b) + b = 1 + time;
end ChangingRank;
