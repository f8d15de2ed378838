// check: q 3 0.1875
// grid: 0.01
model Discontinuous "step-down converter: 2 V for a quarter of a second, 1 V behind the coil, whose current ends at 1/2"
  Real i(start = 0, fixed = true), q(start = 0, fixed = true), vd, s;
  Boolean on = mod(time, 1) < 0.25, off = s < 0;
equation
  der(i) = vd - 1;
  vd = if on then 2 else if off then 1 else 0;
  s = if on then 1 else if off then -1 else i - 1e-12;
  der(q) = i;
end Discontinuous;
