model Break
  connector P
    Real v; flow Real i;
  end P;
  model R
    P a, b; parameter Real R = 1;
  equation
    a.v - b.v = R*a.i; a.i + b.i = 0;
  end R;
  model V
    P a, b; parameter Real v = 1;
  equation
    a.v - b.v = v; a.i + b.i = 0;
  end V;
  model G
    P a;
  equation a.v = 0;
  end G;
  model Circuit
    V v(v = 10); R r1(R = 2), r2(R = 3); G g;
  equation
    connect(v.a, r1.a); connect(r1.b, r2.a); connect(r2.b, v.b); connect(v.b, g.a);
  end Circuit;
  model Other
    extends Circuit(break r2, break connect(v.b, g.a));
    R r3(R = 8);
  equation
    connect(r1.b, r3.a); connect(r3.b, v.b); connect(r3.b, g.a);
  end Other;
  Circuit c; Other o;
  Real i1 = c.r1.a.i, i2 = o.r1.a.i;
equation
  assert(time < 0.999 or abs(i1 - (2)) < 2e-6*(1 + abs(2)), "i1");
  assert(time < 0.999 or abs(i2 - (1)) < 2e-6*(1 + abs(1)), "i2");
end Break;
