model BouncingMass "A mass falls on a stiff stop"
  import Takt.Translational.*;
  ConstantForce weight(force = -9.81);
  Mass ball(m = 1, s(start = 1, fixed = true), v(start = 0, fixed = true));
  Stop floor(c = 1e5, d = 50);
  Fixed ground;
equation
  connect(weight.a, ball.b);
  connect(ground.a, floor.a);
  connect(floor.b, ball.a);
  annotation(experiment(StopTime = 3, Interval = 1e-4));
end BouncingMass;
