// what: a delay that grows beyond the longest that was said
// watch: y = t < 2 ? 0.5*t : 0
// until: 2
// says: asserted
// methods: ros2
model LongDelay
  Real x(start = 0, fixed = true);
  output Real y;
equation
  der(x) = 1;
  y = delay(x, 0.5*time, 1);
  annotation(experiment(StopTime = 3, Interval = 0.01));
end LongDelay;
