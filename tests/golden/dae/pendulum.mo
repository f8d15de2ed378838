model Pendulum "Index 3; which coordinates are states changes on the way"
  parameter Real len = 1, g = 9.81;
  Real x(start = 1), y(start = 0, fixed = true);
  Real vx, vy(start = 0, fixed = true);
  Real lam;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lam*x;
  der(vy) = -lam*y - g;
  x^2 + y^2 = len^2;
end Pendulum;
