model Enums
  type E = enumeration(red "r", green, blue);
  parameter Real t[E] = {10, 20, 30};
  Real y[E];
  Real s, p[E, 2];
  E e = if time < 0.5 then E.red else E.blue;
  Real at = t[e];
  Integer i = Integer(e);
  Boolean lt = E.red < E.green;
  E back = E(2);
  Real viamax = t[E.blue] - t[E.red], n = size(t, 1);
  function pick
    input E e; input Real[E] v; output Real y;
  algorithm
    y := v[e];
  end pick;
  Real f = pick(E.green, t);
equation
  for k in E loop
    y[k] = 2*t[k];
  end for;
  for k in E.red:E.blue, j in 1:2 loop
    p[k, j] = Integer(k)*j;
  end for;
  s = sum(y[k] for k in E.green:E.blue);
equation
  assert(time < 0.999 or abs(s - (100)) < 2e-6*(1 + abs(100)), "s");
  assert(time < 0.999 or abs(at - (30)) < 2e-6*(1 + abs(30)), "at");
  assert(time < 0.999 or abs(i - (3)) < 2e-6*(1 + abs(3)), "i");
  assert(time < 0.999 or lt == true, "lt");
  assert(time < 0.999 or back == E.green, "back");
  assert(time < 0.999 or abs(viamax - (20)) < 2e-6*(1 + abs(20)), "viamax");
  assert(time < 0.999 or abs(n - (3)) < 2e-6*(1 + abs(3)), "n");
  assert(time < 0.999 or abs(f - (20)) < 2e-6*(1 + abs(20)), "f");
  assert(time < 0.999 or abs(p[E.blue,2] - (6)) < 2e-6*(1 + abs(6)), "p[E.blue,2]");
end Enums;
