model M
  connector P
    Real v;
    flow Real i;
  end P;
  model A
    P p;
    Real n = cardinality(p);
  equation
    if cardinality(p) == 0 then
      p.v = 1;
    else
      p.v = 2;
    end if;
  end A;
  A a, b;
  P q;
equation
  connect(a.p, q);
end M;
