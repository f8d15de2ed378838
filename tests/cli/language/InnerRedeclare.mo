model InnerRedeclare
  partial function law
    input Real u; output Real y;
  end law;
  function square extends law;
  algorithm y := u^2; end square;
  function cube extends law;
  algorithm y := u^3; end cube;
  model World
    replaceable function g = square constrainedby law;
    parameter Real k = 1;
  end World;
  model User
    outer World world;
    Real y = world.g(3)*world.k;
  end User;
  model Deep
    User u; inner World world(redeclare function g = cube, k = 10);
    User v;
  end Deep;
  inner World world(k = 2);
  User u; Deep d;
equation
  assert(time < 0.999 or abs(u.y - (18)) < 2e-6*(1 + abs(18)), "u.y");
  assert(time < 0.999 or abs(d.u.y - (270)) < 2e-6*(1 + abs(270)), "d.u.y");
  assert(time < 0.999 or abs(d.v.y - (270)) < 2e-6*(1 + abs(270)), "d.v.y");
end InnerRedeclare;
