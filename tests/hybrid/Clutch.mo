// check: w2 2 1
// grid: 0.02
model Clutch "two wheels, torque 1 until both turn at 1"
  Real w1(start = 2, fixed = true), w2(start = 0, fixed = true), f;
  Boolean locked(start = false, fixed = true);
equation
  der(w1) = -f;
  der(w2) = f;
  locked = pre(locked) or w1 <= w2;
  f = if locked then 0 else 1;
end Clutch;
