// what: the root of a state that turns negative
// watch: s = t < 1 ? 2.0/3*(1 - pow(1 - t, 1.5)) : 2.0/3
// until: 1
// says: unbounded unsolved error
// methods: ros2
model NegativeRoot
  output Real x(start = 1, fixed = true);
  output Real s(start = 0, fixed = true);
equation
  der(x) = -1;
  der(s) = sqrt(x);
  annotation(experiment(StopTime = 2, Interval = 0.01));
end NegativeRoot;
