// what: two equations in two unknowns whose two solutions meet
// watch: y = 1 + sqrt(1 - t)
// watch: z = 1 - sqrt(1 - t)
// until: 1
// says: unsolved
model FoldOfTwo
  Real x(start = 0, fixed = true);
  output Real y(start = 2), z(start = 0);
equation
  der(x) = 1;
  y + z + 0*y*z = 2;
  y*z = x;
  annotation(experiment(StopTime = 1.5, Interval = 0.01));
end FoldOfTwo;
