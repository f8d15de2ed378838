// check: w 3 1
// grid: 0.01
model Freewheel "driven by sin t until pi/2, then it overruns"
  Real w(start = 0, fixed = true), a;
  Boolean on(start = true, fixed = true);
equation
  a = cos(time);
  der(w) = if on then a else 0;
  on = pre(on) and a > 0;
end Freewheel;
