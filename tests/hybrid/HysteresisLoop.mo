// check: x 4 0
// grid: 0.02
model HysteresisLoop "a relay with a band of 2 in feedback: -1 at 1/2 and 5/2, 1 at 3/2 and 7/2"
  Real x(start = 0, fixed = true);
  Boolean up(start = false, fixed = true);
equation
  up = x < -1 or pre(up) and x < 1;
  der(x) = if up then 2 else -2;
end HysteresisLoop;
