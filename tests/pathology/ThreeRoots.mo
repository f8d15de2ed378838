// what: the root that was followed meets one that stands still
// watch: y = -0.5+t
// says: unsolved singular
model ThreeRoots
  Real s(start = -0.5, fixed = true);
  output Real y(start = -0.5);
equation
  der(s) = 1;
  (y - 1)*(y + 1)*(y - s) = 0;
  annotation(experiment(StopTime = 2, Interval = 0.01));
end ThreeRoots;
