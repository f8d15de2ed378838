// what: two roots cross: the solution that was followed and another one
// watch: y = sin(t)
// says: unsolved
model RootsCross
  Real s(start = 0, fixed = true);
  output Real y(start = 0);
equation
  der(s) = 1;
  (y - sin(s))*(y - cos(s)) = 0;
  annotation(experiment(StopTime = 1.5, Interval = 0.01));
end RootsCross;
