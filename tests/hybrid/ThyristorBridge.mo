// check: i 2.1 2.149538789168211
// grid: 0.02
// seen: 0.001
model ThyristorBridge "three-phase bridge, firing angle 50 deg after natural commutation, RL load"
  model Thy
    parameter Real Ron = 1e-3, Goff = 1e-3;
    input Boolean fire;
    Real v, i, s;
    Boolean off(start = true);
  equation
    off = s < 0 or pre(off) and not fire;
    v = s*(if off then 1 else Ron);
    i = s*(if off then Goff else 1);
  end Thy;
  constant Real pi = 3.141592653589793;
  parameter Real alpha = 50;
  Real u[3], p, n, i(start = 0, fixed = true);
  Real ph[6];
  Thy th[6](fire = {ph[k] < 1/3 for k in 1:6});
equation
  for k in 1:3 loop
    u[k] = sin(2*pi*time - (k - 1)*2*pi/3);
    ph[k] = mod(time - (30 + alpha)/360 - (k - 1)/3, 1);
    ph[k + 3] = mod(time - (210 + alpha)/360 - (k - 1)/3, 1);
    th[k].v = u[k] - p;
    th[k + 3].v = n - u[k];
  end for;
  th[1].i + th[2].i + th[3].i = i;
  th[4].i + th[5].i + th[6].i = i;
  0.1*der(i) = p - n - 0.5*i;
end ThyristorBridge;
