model FourBar "Four-bar linkage, every rod with the coordinates of its middle and its angle"
  connector Point "A point of the plane where rods are hinged"
    Real x(unit = "m") "Position";
    Real y(unit = "m") "Position";
    flow Real fx(unit = "N") "Force on the rod";
    flow Real fy(unit = "N") "Force on the rod";
  end Point;

  model Pivot "A point that does not move"
    parameter Real x0(unit = "m") = 0;
    parameter Real y0(unit = "m") = 0;
    Point p;
  equation
    p.x = x0;
    p.y = y0;
  end Pivot;

  model Rod "A slender rod between two hinges"
    parameter Real l(unit = "m") = 1 "Length";
    parameter Real m(unit = "kg") = 1 "Mass";
    parameter Real J(unit = "kg.m2") = m*l^2/12 "Moment of inertia about the middle";
    parameter Real g(unit = "m/s2") = 9.81;
    parameter Real d(unit = "N.m.s") = 0 "Damping of the rotation";
    Real x(unit = "m"), y(unit = "m") "Middle";
    Real phi(unit = "rad") "Angle from a to b";
    Real vx(unit = "m/s"), vy(unit = "m/s"), w(unit = "rad/s") "Speeds";
    Real energy(unit = "J") "Energy of motion and height";
    Point a "Begin";
    Point b "End";
  equation
    energy = m/2*(vx^2 + vy^2) + J/2*w^2 + m*g*y;
    vx = der(x);
    vy = der(y);
    w = der(phi);
    m*der(vx) = a.fx + b.fx;
    m*der(vy) = a.fy + b.fy - m*g;
    J*der(w) = l/2*(cos(phi)*(b.fy - a.fy) - sin(phi)*(b.fx - a.fx)) - d*w;
    a.x = x - l/2*cos(phi);
    a.y = y - l/2*sin(phi);
    b.x = x + l/2*cos(phi);
    b.y = y + l/2*sin(phi);
  end Rod;

  Rod crank(l = 1, x(start = 0.5), y(start = 0), phi(start = 0, fixed = true), w(start = 8, fixed = true));
  Rod coupler(l = 2.5, x(start = 1.5), y(start = 1.1456), phi(start = 1.1593));
  Rod rocker(l = 2.5, x(start = 2.5), y(start = 1.1456), phi(start = 1.9823));
  Real energy(unit = "J") = crank.energy + coupler.energy + rocker.energy "Stays the same";
  Pivot left(x0 = 0);
  Pivot right(x0 = 3);
equation
  connect(left.p, crank.a);
  connect(crank.b, coupler.a);
  connect(coupler.b, rocker.b);
  connect(rocker.a, right.p);
  annotation(experiment(StopTime = 2, Interval = 0.001), Documentation(info = "Nine coordinates, eight constraints, index 3: one degree of freedom is left. The crank (the shortest rod) can turn all the way round."));
end FourBar;
