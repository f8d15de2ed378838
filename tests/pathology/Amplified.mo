// what: a variable makes ten thousand times the error of a state
// watch: y = sin(t)
// says: error
// methods: be ros2 ida
model Amplified
  Real x(start = 1, fixed = true);
  output Real y;
equation
  der(x) = -50*(x - cos(time)) - sin(time);
  y = 1e4*(x - cos(time)) + sin(time);
  annotation(experiment(StopTime = 5, Interval = 0.01));
end Amplified;
