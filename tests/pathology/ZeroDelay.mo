// what: a delay that is set to 0
// set: d 0
// watch: x = exp(-t)
// says: refused
// methods: ros2
model ZeroDelay
  parameter Real d = 0.5;
  output Real x(start = 1, fixed = true);
equation
  der(x) = -delay(x, d);
  annotation(experiment(StopTime = 2, Interval = 0.001));
end ZeroDelay;
