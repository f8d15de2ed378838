package P
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model R
    Pin p, n;
    parameter Real R = 1;
  equation
    p.v - n.v = R*p.i;
    p.i + n.i = 0;
  end R;
  model Two
    Pin p, n;
    R a, b;
  equation
    connect(p, a.p);
    connect(a.n, b.p);
    connect(b.n, n);
  end Two;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model M
    Two t;
    Ground g;
    R r[2];
  equation
    connect(t.p, r[1].p);
    connect(r[1].n, r[2].p);
    connect(r[2].n, t.n);
    connect(t.n, g.p);
  end M;
end P;
