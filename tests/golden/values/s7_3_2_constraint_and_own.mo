// 7.3.2: modifiers of the constraining type are for every redeclaration, and
// those of the declaration itself override them.
model M
  partial model Base
    parameter Real k = 1;
    Real y;
  end Base;
  model One
    extends Base;
  equation
    y = k*time;
  end One;
  model Frame
    replaceable One c constrainedby Base(k = 4);
    replaceable One d(k = 5) constrainedby Base(k = 4);
    replaceable model M = One(k = 6) constrainedby Base(k = 4);
    M m;
  end Frame;
  model Wide
    extends Frame(redeclare replaceable model M = One(k = 7));
  end Wide;
  Frame as_it_is "c 4, d 5, m 6";
  Frame own(redeclare One c(k = 50), redeclare One d(k = 51), redeclare model M = One(k = 52)) "50, 51, 52";
  Frame plain(redeclare One c, redeclare One d, redeclare model M = One) "4, 4, 4";
  Wide wide "m 7";
  Wide wider(redeclare model M = One) "m 4";
end M;
