// what: a state grows past every bound a machine can have
// watch: x = exp(100*t)
// until: 6
// says: unbounded stability error
model Explosion
  output Real x(start = 1, fixed = true);
equation
  der(x) = 100*x;
  annotation(experiment(StopTime = 7, Interval = 0.001));
end Explosion;
