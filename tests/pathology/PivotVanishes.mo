// what: a pivot is zero at a point of the grid, the matrix never singular
// watch: y = (1-t)/((1-t)*(1-t)+1) - 1/((1-t)*(1-t)+1)
// watch: z = (1-t)/((1-t)*(1-t)+1) + 1/((1-t)*(1-t)+1)
// says: singular unsolved unbounded
model PivotVanishes
  Real a(start = 1, fixed = true);
  output Real y, z;
equation
  der(a) = -1;
  a*y + z = 1;
  -y + a*z = 1;
  annotation(experiment(StopTime = 3, Interval = 0.125));
end PivotVanishes;
