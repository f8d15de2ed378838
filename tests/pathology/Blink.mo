// what: two relations of time, of which one opens and the other closes within a step
// watch: x = fmax(0, fmin(t, 0.515) - 0.507)/0.008
// says: within error
model Blink
  output Real x(start = 0, fixed = true);
  Real u;
equation
  u = if time > 0.507 and time < 0.515 then 125 else 0;
  der(x) = u;
  annotation(experiment(StopTime = 1, Interval = 0.02));
end Blink;
