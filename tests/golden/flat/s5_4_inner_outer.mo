model M
  model Body
    outer World world;
    Real w = world.g*2;
  end Body;
  model World
    parameter Real g = 9.81;
  end World;
  inner World world(g = 10);
  Body a, b;
end M;
