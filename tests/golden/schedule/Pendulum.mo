model Pendulum "der(phi) = w is an alias; the acceleration is torn"
  parameter Real g = 9.81, l = 1;
  Real phi(start = 0.7, fixed = true), w(start = 0, fixed = true);
equation
  der(phi) = w;
  l*der(w) = -g*sin(phi);
end Pendulum;
