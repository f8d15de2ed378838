// what: more power is asked of a line than it can carry
// watch: d = asin(0.1*t)
// until: 10
// says: unsolved
model Collapse
  Real p(start = 0, fixed = true);
  output Real d(start = 0);
equation
  der(p) = 0.1;
  sin(d) = p;
  annotation(experiment(StopTime = 14, Interval = 0.05));
end Collapse;
