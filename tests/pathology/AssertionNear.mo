// what: an assertion holds by a hair; an inaccurate run breaks it
// watch: x = sin(t)
// says: asserted error stability
model AssertionNear
  output Real x(start = 0, fixed = true);
  Real v(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  assert(x < 1.0001, "x is beyond its stop");
  annotation(experiment(StopTime = 10, Interval = 0.01));
end AssertionNear;
