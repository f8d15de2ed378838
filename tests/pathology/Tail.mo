// what: beyond a maximum there is no solution, and the residual falls into a tail
// root: 0 1 y*exp(-y)-0.1*t
// watch: y = y
// until: 10/M_E
// says: unsolved unbounded
model Tail
  Real x(start = 0, fixed = true);
  output Real y(start = 0);
equation
  der(x) = 0.1;
  y*exp(-y) = x;
  annotation(experiment(StopTime = 6, Interval = 0.01));
end Tail;
