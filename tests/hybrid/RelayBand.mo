// check: x 2.05 0.05
// grid: 0.03
model RelayBand "slides between -0.1 and 0.1"
  Real x(start = 1, fixed = true);
  Boolean down(start = true, fixed = true);
equation
  der(x) = if down then -1 else 1;
  down = if pre(down) then x > -0.1 else x > 0.1;
end RelayBand;
