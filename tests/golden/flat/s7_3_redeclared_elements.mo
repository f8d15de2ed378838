model M "redeclared elements and classes, twice over"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model Two
    Pin a, b;
    replaceable parameter Real k = 1;
  equation
    a.i + b.i = 0;
  end Two;
  model R
    extends Two;
    parameter Real R = 2*k;
  equation
    a.v - b.v = R*a.i;
  end R;
  model C
    extends Two(k = 7);
    parameter Real C = k/10;
  equation
    C*der(a.v - b.v) = a.i;
  end C;
  model Pair
    replaceable model Part = R constrainedby Two(k = 3);
    replaceable R other(R = 5) constrainedby Two;
    Part part[2](k = {11, 12});
    Pin p, n;
  equation
    connect(p, part[1].a);
    connect(part[1].b, part[2].a);
    connect(part[2].b, n);
    connect(other.a, p);
    connect(other.b, n);
  end Pair;
  model Other
    extends Pair;
    redeclare replaceable model Part = C(C = 4) constrainedby Two(k = 3);
    redeclare replaceable C other(k = 9) constrainedby Two;
  end Other;
  model Third
    extends Other(redeclare replaceable model Part = R);
    redeclare replaceable R other(R = 6);
  end Third;
  Pair x;
  Other y(part(each k = 2));
  Third z(redeclare C other);
  Pair w(redeclare model Part = C, redeclare R other(k = 8));
equation
  connect(x.p, y.p);
  connect(x.n, y.n);
  connect(y.p, z.p);
  connect(y.n, z.n);
  connect(w.p, z.p);
  connect(w.n, z.n);
end M;
