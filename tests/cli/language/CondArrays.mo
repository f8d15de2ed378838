model Cond "conditional components and connectors, arrays of them"
  connector In = input Real;
  connector Out = output Real;
  model Gain
    parameter Boolean ext = false;
    parameter Real k0 = 3;
    In u;
    In k if ext;
    Out y;
  protected
    In kk;
    Out kc = k0 if not ext;
  equation
    connect(k, kk);
    connect(kc, kk);
    y = kk*u;
  end Gain;
  Gain a, b(ext = true), c[2](ext = {false, true}, each k0 = 7);
  Out two = 2, t = time;
equation
  connect(t, a.u);
  connect(t, b.u);
  connect(two, b.k);
  connect(t, c[1].u);
  connect(t, c[2].u);
  connect(two, c[2].k);
  assert(abs(a.y - 3*time) + abs(b.y - 2*time) + abs(c[1].y - 7*time) + abs(c[2].y - 2*time) < 1e-12, "y");
end Cond;
