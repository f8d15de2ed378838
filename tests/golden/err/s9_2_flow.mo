model M
  connector P
    Real v;
    flow Real i;
  end P;
  connector Q
    Real v;
    Real i;
  end Q;
  model A
    P p;
  equation
    p.v = 0;
  end A;
  model B
    Q q;
  equation
    q.v = 0;
    q.i = 0;
  end B;
  A a;
  B b;
equation
  connect(a.p, b.q);
end M;
