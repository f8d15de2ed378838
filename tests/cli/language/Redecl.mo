model Redecl
  package P
    partial model Base
      parameter Real k = 1; Real y;
    end Base;
    model One extends Base; equation y = k; end One;
    model Two extends Base; parameter Real z = 5; equation y = 2*k + z; end Two;
    model Frame
      replaceable model M = One constrainedby Base(k = 3);
      M m; final parameter Real fin = 8;
      replaceable One c constrainedby Base(k = 4);
    end Frame;
    model Wide extends Frame(redeclare replaceable model M = Two(z = 1));
    end Wide;
  end P;
  P.Frame a; P.Frame b(redeclare model M = P.Two); P.Wide w; P.Wide w2(redeclare model M = P.One(k = 9));
  P.Frame e(redeclare P.Two c(z = 100));
equation
  assert(time < 0.999 or abs(a.m.y - (3)) < 2e-6*(1 + abs(3)), "a.m.y");
  assert(time < 0.999 or abs(b.m.y - (11)) < 2e-6*(1 + abs(11)), "b.m.y");
  assert(time < 0.999 or abs(w.m.y - (7)) < 2e-6*(1 + abs(7)), "w.m.y");
  assert(time < 0.999 or abs(w2.m.y - (9)) < 2e-6*(1 + abs(9)), "w2.m.y");
  assert(time < 0.999 or abs(e.c.y - (108)) < 2e-6*(1 + abs(108)), "e.c.y");
  assert(time < 0.999 or abs(a.c.y - (4)) < 2e-6*(1 + abs(4)), "a.c.y");
  assert(time < 0.999 or abs(a.fin - (8)) < 2e-6*(1 + abs(8)), "a.fin");
end Redecl;
