model TurningPendulum "A pendulum that turns over, rows turned into each other: no states serve all the way"
  Real x(start = 0.6, fixed = true), y(start = -0.8), vx(start = 6.4, fixed = true), vy(start = 4.8), lam;
equation
  der(x) = vx;
  der(y) = vy;
  cos(0.7*time)*(der(vx) + lam*x) + sin(0.7*time)*(x^2 + y^2 - 1) = 0;
  cos(0.7*time)*(x^2 + y^2 - 1) - sin(0.7*time)*(der(vx) + lam*x) = 0;
  der(vy) + lam*y + 9.81 = 0;
  annotation(experiment(StopTime = 2));
end TurningPendulum;
