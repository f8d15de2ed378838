// what: infinite in finite time with a third power
// watch: x = 1/sqrt(1 - 2*t)
// until: 0.499
// says: unsolved unbounded error
model EscapeCubic
  output Real x(start = 1, fixed = true);
equation
  der(x) = x^3;
  annotation(experiment(StopTime = 1, Interval = 0.002));
end EscapeCubic;
