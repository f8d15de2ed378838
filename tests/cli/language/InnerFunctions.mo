model InnerRed "inner with redeclare, outer functions"
  partial function F
    input Real x;
    output Real y;
  end F;
  model World
    parameter Real g = 1;
    replaceable function f = Lin constrainedby F;
  end World;
  function Lin
    extends F;
  algorithm
    y := x;
  end Lin;
  function Sq
    extends F;
    input Real k = 2;
  algorithm
    y := k*x^2;
  end Sq;
  model Part
    outer World world;
    Real y = world.f(time) + world.g;
  end Part;
  model Sub
    inner World world(g = 10, redeclare function f = Sq(k = 5));
    Part p;
  end Sub;
  inner World world(redeclare function f = Sq);
  Part p[2];
  Sub s;
equation
  assert(abs(p[2].y - 2*time^2 - 1) < 1e-12, "p");
  assert(abs(s.p.y - 5*time^2 - 10) < 1e-12, "s");
end InnerRed;
