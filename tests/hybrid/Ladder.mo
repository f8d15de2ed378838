// check: Q 2 2.668517338061388
// grid: 2e-3
// seen: 2e-3
model Ladder "a current of 1 divides among six resistors whose switches open one by one; in the mode in which all are open its voltage has no equation"
  parameter Integer n = 6;
  Real u, i[n], Q(start = 0, fixed = true);
  Boolean open[n];
equation
  for k in 1:n loop
    open[k] = time > 0.4*k - 0.0123;
    0 = if open[k] then i[k] else u - k*i[k];
  end for;
  1 = sum(i);
  der(Q) = u;
end Ladder;
