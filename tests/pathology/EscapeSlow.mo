// what: infinite in finite time, as slowly as a logarithm
// watch: x = -log(1 - t)
// until: 1
// says: unsolved unbounded error
model EscapeSlow
  output Real x(start = 0, fixed = true);
equation
  der(x) = exp(x);
  annotation(experiment(StopTime = 1.5, Interval = 0.01));
end EscapeSlow;
