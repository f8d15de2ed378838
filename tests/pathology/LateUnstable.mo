// what: stable, then unstable: what a method damps too much does not come back
// watch: x = exp(10*t*t - 20*t)
// says: error stability unsolved
model LateUnstable
  output Real x(start = 1, fixed = true);
equation
  der(x) = 20*(time - 1)*x;
  annotation(experiment(StopTime = 2.1, Interval = 0.02));
end LateUnstable;
