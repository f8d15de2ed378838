model Modifications
  A a(b(c = 1, d(e = 2) = 3) = 4, final f = 5 "text", each g = 6,
    each final h(start = 0), x.y.z = 7, k = break, empty());
  B b(redeclare model M = M2(p = 1) "c", redeclare each final Real x = 1,
    replaceable package P = Q constrainedby R(s = 1),
    redeclare replaceable C c[3](d = 1) = e constrainedby F,
    redeclare function f = g, redeclare parameter input Real u);
  extends C(final a = 1, redeclare package M = N) annotation(Icon());
  extends D(break x, break connect(a.b, c[1]), y = 1);
  extends E();
end Modifications;
