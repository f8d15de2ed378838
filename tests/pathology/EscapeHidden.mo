// what: an accumulator of what has escaped: the pole lies between two steps
// watch: z = -log(1 - t)
// until: 1
// says: unsolved unbounded error
model EscapeHidden
  Real x(start = 0, fixed = true);
  output Real z(start = 0, fixed = true);
equation
  der(x) = 1;
  der(z) = 1/(1 - x);
  annotation(experiment(StopTime = 2, Interval = 0.03));
end EscapeHidden;
