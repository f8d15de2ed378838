// what: mod() by a number that passes 0
// watch: y = t < 1 ? fmod(t + 3, 1 - t) : 0
// until: 0.8
// says: unbounded unsolved error
// methods: ros2
model ModZero
  output Real y;
  Real x(start = 3, fixed = true);
equation
  der(x) = 1;
  y = noEvent(x - floor(x/max(0, 1 - time))*max(0, 1 - time));
  annotation(experiment(StopTime = 2, Interval = 0.01));
end ModZero;
