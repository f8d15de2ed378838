// what: the coefficient of a derivative reaches zero: the index changes
// watch: x = t < 1 ? 1 - t : 0
// says: singular unsolved unbounded error
model LosesDerivative
  output Real x(start = 1, fixed = true);
equation
  noEvent(if time < 1 then 1 - time else 0)*der(x) = -x;
  annotation(experiment(StopTime = 2, Interval = 0.0625));
end LosesDerivative;
