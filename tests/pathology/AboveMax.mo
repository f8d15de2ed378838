// what: an algebraic variable above its max
// watch: y = t*t
// until: 1.02
// says: bounds
model AboveMax
  Real x(start = 0, fixed = true);
  output Real y(max = 1);
equation
  der(x) = 1;
  y = x^2;
  annotation(experiment(StopTime = 2, Interval = 0.01));
end AboveMax;
