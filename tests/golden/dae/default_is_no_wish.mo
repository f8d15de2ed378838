// The position p of a connector is differentiated and says nothing of states,
// the body that it moves says avoid, as phi does: phi, which gives p, stays.
// That z has a derivative is the work of the reduction alone, so that it is no
// state although q says avoid.
model DefaultIsNoWish
  Real p[2];
  Real r[2](each stateSelect = StateSelect.avoid);
  Real v[2](each stateSelect = StateSelect.avoid), f;
  Real phi(start = 0.3, fixed = true, stateSelect = StateSelect.avoid);
  Real w(start = 0, fixed = true, stateSelect = StateSelect.avoid), a;
  Real q(start = 0.2, fixed = true, stateSelect = StateSelect.avoid);
  Real z, u(stateSelect = StateSelect.never), y;
equation
  r = p;
  p = {sin(phi), -cos(phi)};
  v = der(p);
  w = der(phi);
  a = der(w);
  der(v) = {-f*p[1], -9.81 - f*p[2]};
  z = q + 0.1*sin(q);
  u = 2*z;
  der(q) = sin(time) - y;
  y = der(u);
end DefaultIsNoWish;
