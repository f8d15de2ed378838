// what: infinite in finite time
// watch: x = 1/(1 - t)
// until: 0.99
// says: unsolved unbounded error
model Escape
  output Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
  annotation(experiment(StopTime = 1.5, Interval = 0.01));
end Escape;
