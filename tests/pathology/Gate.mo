// what: two relations of states, of which one opens and the other closes within a step
// watch: n = fmax(0, fmin(t, 0.515) - 0.507)/0.008
// says: within error
model Gate
  Real x(start = 0, fixed = true);
  output Real n(start = 0, fixed = true);
equation
  der(x) = 1;
  der(n) = if x > 0.507 and x < 0.515 then 125 else 0;
  annotation(experiment(StopTime = 1, Interval = 0.02));
end Gate;
