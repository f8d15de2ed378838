model RotatedPendulum "Pendulum whose rows are turned into each other by an angle that grows"
  constant Real g = 9.81;
  Real x(start = 0.6, fixed = true), y(start = -0.8), vx(start = 0, fixed = true), vy(start = 0), lam(start = 0);
  Real c, s;
equation
  c = cos(0.7*time);
  s = sin(0.7*time);
  der(x) = vx;
  der(y) = vy;
  c*(der(vx) + lam*x) + s*(x^2 + y^2 - 1) = 0;
  c*(x^2 + y^2 - 1) - s*(der(vx) + lam*x) = 0;
  der(vy) + lam*y + g = 0;
  annotation(experiment(StopTime = 1));
end RotatedPendulum;
