// check: q 1 0.5416666666666666
// grid: 0.01
model TwoLimiters "each in the loop of the other: limits at 5/12 and 3/4"
  Real s1, s2, y1, y2, q(start = 0, fixed = true);
equation
  s1 = 2*time - 0.5*y2;
  s2 = 2*time + 0.5*y1;
  y1 = if s1 > 1 then 1 else if s1 < -1 then -1 else s1;
  y2 = if s2 > 1 then 1 else if s2 < -1 then -1 else s2;
  der(q) = y1;
end TwoLimiters;
