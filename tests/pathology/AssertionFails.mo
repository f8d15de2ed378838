// what: an assertion that fails on the way
// watch: x = t
// until: 1.005
// says: asserted
model AssertionFails
  output Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(x < 1, "x has left its range");
  annotation(experiment(StopTime = 2, Interval = 0.01));
end AssertionFails;
