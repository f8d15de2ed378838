// check: x 5.3 -0.04279966817100477
// grid: 0.01
model LiftFriction "a block pressed on a plane by N(t), pulled: friction mu N, lifts where N <= 0"
  Real v(start = 0, fixed = true), a, N, f, s, x(start = 0, fixed = true);
  Boolean contact, stuck(start = true, fixed = true), fwd(start = true, fixed = true);
equation
  N = 1 + 1.5*cos(2*time);
  contact = N > 0;
  der(x) = v;
  der(v) = a;
  a = sin(5*time) - f;
  0 = if stuck then a else f - (if contact then 0.5*N*(if fwd then 1 else -1) else 0);
  s = if fwd then v else -v;
  stuck = if pre(stuck) then abs(sin(5*time)) <= 0.5*N and contact else s < 0 and contact;
  fwd = if stuck then pre(fwd) else if pre(stuck) then sin(5*time) > 0 else if pre(fwd) then v >= 0 else v > 0;
end LiftFriction;
