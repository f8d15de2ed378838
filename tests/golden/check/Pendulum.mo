// tolerance: 1e-9
model Pendulum "index 3: states are chosen, a loop is torn"
  parameter Real l = 1, g = 9.81;
  Real x(start = 0.6, fixed = true), y(start = -0.8), vx(start = 0, fixed = true), vy, f;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -f*x;
  der(vy) = -f*y - g;
  x^2 + y^2 = l^2;
end Pendulum;
