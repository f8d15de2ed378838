model Pendulum "Planar pendulum in Cartesian coordinates, released from the horizontal, index 3; g chosen so that the period is exactly 2"
  parameter Real len = 1.0, g = 13.750371636040745654980191559621114;
  Real x(start = 1.0), y(start = 0.0, fixed = true);
  Real vx(start = 0.0), vy(start = 0.0, fixed = true);
  Real lam(start = 0.0) "tension per unit mass and length";
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lam*x;
  der(vy) = -lam*y - g;
  x^2 + y^2 = len^2;
  annotation(experiment(StopTime = 2.3), Documentation(info = "States have to change on the way: x, vx is singular at the side, y, vy at the bottom."));
end Pendulum;
