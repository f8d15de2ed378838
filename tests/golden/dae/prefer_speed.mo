// Nobody differentiates the relative speed vr, which says prefer: its
// derivative follows from linear equations, and it is a state. That of the speed
// vd of a damper that moves no mass would need the derivative of the force: it is
// none.
model PreferSpeed
  Real s1(start = 0, fixed = true), v1(start = 0, fixed = true);
  Real s2, v2, f;
  Real sr(start = 0, fixed = true, stateSelect = StateSelect.prefer);
  Real vr(start = 1, fixed = true, stateSelect = StateSelect.prefer);
  Real sd(start = 0, fixed = true, stateSelect = StateSelect.prefer);
  Real vd(stateSelect = StateSelect.prefer);
equation
  v1 = der(s1);
  v2 = der(s2);
  2*der(v1) = f;
  der(v2) = -f;
  sr = s2 - s1 - 0.1;
  vr = der(sr);
  f = 3*sr + vr;
  vd = der(sd);
  vd = exp(sin(time)) - sd^2;
end PreferSpeed;
