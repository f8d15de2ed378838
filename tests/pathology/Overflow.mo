// what: an exponential that overflows on the way to a number that does not
// watch: y = log1p(exp(400*t) > 1e300 ? 1e300 : exp(400*t))
// until: 1.7
// says: unbounded unsolved
// methods: ros2
model Overflow
  Real x(start = 0, fixed = true);
  output Real y;
equation
  der(x) = 400;
  y = log(1 + exp(x));
  annotation(experiment(StopTime = 2, Interval = 0.01));
end Overflow;
