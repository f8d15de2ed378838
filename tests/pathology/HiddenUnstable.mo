// what: unstable, and a step so large that the determinant changes its sign
// watch: x = 1 + 0.001*exp(50*t)
// says: unsolved error stability
model HiddenUnstable
  output Real x(start = 1.001, fixed = true);
equation
  der(x) = 50*(x - 1);
  annotation(experiment(StopTime = 0.6, Interval = 0.1));
end HiddenUnstable;
