// what: a matrix comes nearer to singular by 17 orders of magnitude
// watch: z = 1
// watch: y = 1
// says: singular unsolved unbounded
model Degenerates
  Real s(start = 0, fixed = true);
  output Real y(start = 1), z(start = 1);
  Real e;
equation
  der(s) = 1;
  e = 10^(-17*s);
  y + z = 2;
  y + (1 + e)*z = 2 + 10^(-17*s);
  annotation(experiment(StopTime = 1.1, Interval = 0.01));
end Degenerates;
