model s7_3_inner_function "a function redeclared in an inner component, called through the outer one"
  model World
    parameter Real g0 = 9.81;
    replaceable function gravity = standard(g = g0);
    partial function base
      input Real r;
      output Real a;
    end base;
    function standard
      extends base;
      input Real g = 1;
    algorithm
      a := -g;
    end standard;
  end World;
  function mine
    input Real r;
    output Real a;
    input Real k = 1;
  algorithm
    a := -k*r;
  end mine;
  model Body
    outer World world;
    Real x(start = 1, fixed = true);
    Real v(start = 0, fixed = true);
  equation
    der(x) = v;
    der(v) = world.gravity(x);
  end Body;
  parameter Real kk = 3;
  inner World world(redeclare function gravity = mine(k = kk));
  Body b;
end s7_3_inner_function;
