model s5_4_automatic_inner "an inner component that nobody declares; inner outer"
  model World
    parameter Real g = 9.81;
    annotation(missingInnerMessage = "gravity is that of the earth");
  end World;
  model Ball
    outer World world;
    Real v(start = 0, fixed = true);
  equation
    der(v) = -world.g;
  end Ball;
  model Switched
    outer Boolean on;
    Real x(start = 1, fixed = true);
  equation
    der(x) = if on then -x else 0;
  end Switched;
  model Group
    Boolean enable = time > 1;
    inner outer Boolean on = on and enable;
    Switched s;
  end Group;
  Ball a, b;
  inner Boolean on = true;
  Group g;
  Boolean seen = g.on;
end s5_4_automatic_inner;
