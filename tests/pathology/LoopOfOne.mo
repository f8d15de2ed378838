// what: the gain of a loop passes one
// watch: y = 1
// says: singular unsolved unbounded
model LoopOfOne
  Real k(start = 0, fixed = true);
  output Real y(start = 1);
equation
  der(k) = 1;
  y = k*y + (1 - k);
  annotation(experiment(StopTime = 2, Interval = 0.1));
end LoopOfOne;
