// what: the Jacobian is zero at the start value
// watch: y = cbrt(2 + t)
// says: unsolved refused singular
model FlatStart
  Real x(start = 2, fixed = true);
  output Real y(start = 0);
equation
  der(x) = 1;
  y^3 = x;
  annotation(experiment(StopTime = 1, Interval = 0.01));
end FlatStart;
