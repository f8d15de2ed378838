// check: x 7 0.644109910822026
// grid: 0.02
model StickSlip "on a belt of speed 1, spring 1: slips at x = 1, friction 1/2; sticks again at x = 0 after 2 pi - 2 atan(1/2)"
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  Boolean stuck(start = true, fixed = true);
equation
  der(x) = v;
  der(v) = if stuck then 0 else 0.5 - x;
  stuck = if pre(stuck) then x <= 1 else v > 1;
end StickSlip;
