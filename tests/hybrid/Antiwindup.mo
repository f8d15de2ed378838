// check: x 2.5 0.5
// grid: 0.01
model Antiwindup "stops at 1, leaves it at 2"
  Real x(start = 0, fixed = true), u;
equation
  u = if time < 2 then 1 else -1;
  der(x) = if x >= 1 and u > 0 then 0 else u;
end Antiwindup;
