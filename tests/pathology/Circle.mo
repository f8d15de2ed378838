// what: a circle followed beyond its rim
// watch: y = sqrt(1 - t*t)
// until: 1
// says: unsolved
model Circle
  Real x(start = 0, fixed = true);
  output Real y(start = 1);
equation
  der(x) = 1;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 1.6, Interval = 0.02));
end Circle;
