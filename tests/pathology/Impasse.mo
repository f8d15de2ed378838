// what: the motion runs into a point where its equation turns singular
// root: 0.5 1 log(y)-y*y/2-(log(0.5)-0.125)-t
// watch: y = y
// until: -0.5-(log(0.5)-0.125)
// says: unsolved unbounded
model Impasse
  Real x(start = 0.5 - 0.5^3/3, fixed = true);
  output Real y(start = 0.5);
equation
  der(x) = y;
  y - y^3/3 = x;
  annotation(experiment(StopTime = 1, Interval = 0.01));
end Impasse;
