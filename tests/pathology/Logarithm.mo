// what: the logarithm of what becomes negative
// watch: y = log(1.001 - t)
// until: 1.001
// says: unsolved unbounded
model Logarithm
  Real x(start = 1.001, fixed = true);
  output Real y;
equation
  der(x) = -1;
  y = log(x);
  annotation(experiment(StopTime = 1.5, Interval = 0.01));
end Logarithm;
