model M
  connector P
    Real v;
    flow Real i;
  end P;
  model A
    P p;
  equation
    p.v = 0;
  end A;
  A a[2], b;
  Integer k = if time > 1 then 1 else 2;
equation
  connect(a[k].p, b.p);
end M;
