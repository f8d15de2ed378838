// what: a solution that turns back: no real root near the last one
// watch: y = 2*cos((acos(t/2) + 2*M_PI)/3)
// until: 2
// says: unsolved
model Fold
  Real x(start = 0, fixed = true);
  output Real y(start = -1.7);
equation
  der(x) = 1;
  y^3 - 3*y = x;
  annotation(experiment(StopTime = 4, Interval = 0.01));
end Fold;
