// what: the root of a negative number, as an equation: no solution is left
// watch: y = sqrt(1 - t)
// until: 1
// says: unsolved
model NoRoot
  Real w(start = 0, fixed = true);
  output Real y(start = 1);
equation
  der(w) = 1;
  y^2 = 1 - w;
  annotation(experiment(StopTime = 2, Interval = 0.01));
end NoRoot;
