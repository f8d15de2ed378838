model Root
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model Two
    Pin p, n;
    Real v = p.v - n.v;
  equation
    p.i + n.i = 0;
  end Two;
  model R
    extends Two;
    parameter Real R = 1;
  equation
    v = R*p.i;
  end R;
  model C
    extends Two;
    parameter Real C(min = 0) = 1 if true;
  equation
    C*der(v) = p.i;
  end C;
  record Data
    Real a[2] = {1, 2};
    Integer k = 3;
  end Data;
  parameter Integer n = 3;
  parameter Data d(k = 4);
  replaceable R r[n](each R = d.a[1]) constrainedby Two;
  C c;
  Pin ground;
equation
  connect(r[1].p, c.p);
  for i in 1:n - 1 loop
    connect(r[i].n, r[i + 1].p);
  end for;
  connect(r[n].n, ground);
  connect(c.n, ground);
  ground.v = 0;
end Root;
