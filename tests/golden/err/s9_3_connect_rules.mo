/* What connect can join (9.3), and what a connector needs (9.3.1). */
model s9_3_connect_rules
  connector P
    Real v;
    flow Real i;
  end P;
  connector Odd
    Real v[2];
    flow Real i;
  end Odd;
  connector U
    input Real x;
    constant Real k = 1;
    Real v;
    flow Real i;
  end U;
  connector W
    Real x;
    parameter Real k = 1;
    Real v;
    flow Real i;
    flow Real j;
  end W;
  model Two
    P p, q;
  equation
    p.v = 1;
    q.v = 1;
  end Two;
  model Deep
    Two t;
  end Deep;
  Deep d;
  Odd o(v = {1, 2});
  U u(x = 1, v = 1);
  W w(x = 1, v = 1);
  Real x = 1;
  Integer n = cardinality(x);
equation
  connect(d.t.p, d.t.q);
  connect(u, w);
  if time > 1 then
    Connections.root(d.t.p.v);
  end if;
end s9_3_connect_rules;
