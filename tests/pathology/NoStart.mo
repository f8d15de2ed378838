// what: no initial values exist
// watch: y = 0
// until: -1
// says: unsolved refused
model NoStart
  Real x(start = 1, fixed = true);
  output Real y(start = 1);
equation
  der(x) = 1;
  y^2 + y + x = 0;
  annotation(experiment(StopTime = 1, Interval = 0.01));
end NoStart;
