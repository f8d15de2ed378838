// check: x 3.5 -0.5
// grid: 0.02
model Relay "up to 1, down to -1"
  Real x(start = 0, fixed = true);
  Boolean up(start = true, fixed = true);
equation
  der(x) = if up then 1 else -1;
  up = if pre(up) then x < 1 else x < -1;
end Relay;
