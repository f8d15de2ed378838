// what: a product with its own past
// watch: x = t <= 1 ? exp(-3*t) : exp(-3 - (1 - exp(-3*(t - 1))))
// says: error
model LateFeedback
  output Real x(start = 1, fixed = true);
equation
  der(x) = -3*x*delay(x, 1);
  annotation(experiment(StopTime = 2, Interval = 0.05));
end LateFeedback;
