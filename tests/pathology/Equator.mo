// what: a point on a circle by its height, over the top
// watch: y = sin(t)
// watch: x = cos(t)
// says: unsolved singular unbounded error
model Equator
  output Real y(start = 0, fixed = true), x(start = 1);
equation
  der(y) = x;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 2.5, Interval = 0.02));
end Equator;
