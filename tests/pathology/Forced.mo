// what: infinitely stiff, and driven: harmless for implicit methods, not for others
// watch: x = sin(20*t)
// says: unbounded error stability
model Forced
  output Real x(start = 0, fixed = true);
equation
  der(x) = -1e6*(x - sin(20*time)) + 20*cos(20*time);
  annotation(experiment(StopTime = 1, Interval = 0.005));
end Forced;
