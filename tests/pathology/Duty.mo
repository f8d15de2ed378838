// what: a pulse width that the grid cannot show
// watch: x = 0.01*floor(t/0.015 + 1e-9) + fmin(0.01, t - 0.015*floor(t/0.015 + 1e-9))
// says: error events
model Duty
  output Real x(start = 0, fixed = true);
equation
  der(x) = if mod(time, 0.015) < 0.01 then 1 else 0;
  annotation(experiment(StopTime = 0.6, Interval = 0.01));
end Duty;
