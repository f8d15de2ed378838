model Delayed "A signal of the past"
  Real x(start = 1, fixed = true);
equation
  der(x) = -delay(x, 0.1);
  annotation(experiment(StopTime = 1, Interval = 0.01));
end Delayed;
