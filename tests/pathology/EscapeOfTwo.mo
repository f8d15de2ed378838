// what: a force that grows with the square of the way: infinite in finite time
// watch: x = 1/((1 - t)*(1 - t))
// until: 1
// says: unsolved unbounded error
model EscapeOfTwo
  output Real x(start = 1, fixed = true);
  Real v(start = 2, fixed = true);
equation
  der(x) = v;
  der(v) = 6*x^2;
  annotation(experiment(StopTime = 2, Interval = 0.01));
end EscapeOfTwo;
