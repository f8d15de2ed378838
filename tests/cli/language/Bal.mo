model Bal
  model M
    input Real u; output Real y; parameter Real k = 2; protected Real h;
  equation h = k*u; y = h;
  end M;
  M a(u = time), b(u = a.y, k = a.k + 1); Real z = b.y;
  block Nest
    M m[2](u = {time, 2}); output Real s = m[1].y + m[2].y;
  end Nest;
  Nest n;
equation
  assert(time < 0.999 or abs(z - (6)) < 2e-6*(1 + abs(6)), "z");
  assert(time < 0.999 or abs(n.s - (6)) < 2e-6*(1 + abs(6)), "n.s");
end Bal;
