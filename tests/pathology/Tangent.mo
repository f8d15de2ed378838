// what: y = p exp(y) has no solution once p is above 1/e
// root: 0 1 y-t*exp(y)
// watch: y = y
// until: exp(-1)
// says: unsolved
model Tangent
  Real p(start = 0, fixed = true);
  output Real y(start = 0);
equation
  der(p) = 1;
  y = p*exp(y);
  annotation(experiment(StopTime = 0.6, Interval = 0.005));
end Tangent;
