// what: the drive goes a little beyond a fold and comes back
// watch: y = 2*cos((acos(1.1*sin(t)) + 2*M_PI)/3)
// until: asin(1/1.1)
// says: unsolved
model FoldAndBack
  Real x(start = 0, fixed = true);
  output Real y(start = -1.7);
equation
  der(x) = 1;
  y^3 - 3*y = 2.2*sin(x);
  annotation(experiment(StopTime = 6, Interval = 0.01));
end FoldAndBack;
