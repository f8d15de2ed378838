model SpringPendulum "Gustafsson Eq. 35-38: spring pendulum"
  constant Real pi = 3.14159265358979323846264338327950288;
  parameter Real m = 3.0, k = 35.0, l0 = 1.0, g = 9.81;
  Real x(start = 1.5, fixed = true), v(start = 0.0, fixed = true);
  Real theta(start = pi/4, fixed = true), omega(start = 0.0, fixed = true);
equation
  der(x) = v;
  der(v) = (l0 + x)*omega^2 - k/m*x + g*cos(theta);
  der(theta) = omega;
  der(omega) = -g/(l0 + x)*sin(theta) - 2*v/(l0 + x)*omega;
  annotation(experiment(StopTime = 20, Interval = 0.01), Documentation(info = "Gustafsson 2021, (35) to (38)."));
end SpringPendulum;
