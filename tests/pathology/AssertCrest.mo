// what: a crest breaks an assertion between two points of the grid
// watch: x = sin(t)
// until: 1.5810
// says: asserted within error stability
model AssertCrest
  output Real x(start = 0, fixed = true);
  Real v(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  assert(x < 0.99995, "x is beyond its stop");
  annotation(experiment(StopTime = 4, Interval = 0.03));
end AssertCrest;
