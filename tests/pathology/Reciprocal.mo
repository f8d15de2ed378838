// what: a division by zero at a point of the grid
// watch: x = t
// until: 1
// says: unbounded unsolved
model Reciprocal
  output Real x(start = 0, fixed = true);
  output Real y;
equation
  der(x) = 1;
  y = 1/(x - 1);
  annotation(experiment(StopTime = 2, Interval = 0.125));
end Reciprocal;
