model Constraining
  model A
    Real x = 1.0;
  end A;
  model B
    Real x = 1.0;
    Real y = 1.0;
  end B;
  model C
    Real x = 1.0;
    Real y = 1.0;
    Real z = 5.0;
  end C;
  model D
    replaceable B b constrainedby A;
  end D;
  model E
    parameter Real p = 2;
    extends D(replaceable B b constrainedby B(x = p, y = 3.0));
  end E;
  model F
    extends E(redeclare C b(y = 7));
  end F;
  F c(p = 4);
  E e;
  D d(redeclare replaceable C b constrainedby B(y = 9));
  model S
    Real v[:] = {k*time for k in 1:size(v, 1)};
    Real m[:, 2];
  equation
    m = ones(size(m, 1), 2);
  end S;
  S s(redeclare Real v[3], redeclare Real m[2, 2]);
equation
  assert(c.b.x == 4 and c.b.y == 7 and c.b.z == 5, "c");
  assert(e.b.x == 2 and e.b.y == 3, "e");
  assert(d.b.x == 1 and d.b.y == 9, "d");
  assert(abs(s.v[3] - 3*time) < 1e-12 and size(s.v, 1) == 3, "s");
end Constraining;
