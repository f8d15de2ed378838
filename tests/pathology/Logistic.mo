// what: growth that is over in one step, and an implicit step with two roots
// watch: x = 1/(1 + 999*exp(-100*t))
// says: unsolved error stability
model Logistic
  output Real x(start = 0.001, fixed = true);
equation
  der(x) = 100*x*(1 - x);
  annotation(experiment(StopTime = 1, Interval = 0.05));
end Logistic;
