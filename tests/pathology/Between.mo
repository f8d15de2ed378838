// what: a switch of time between two points of the grid
// watch: x = fmax(0, t - 0.507)
// says: error events
model Between
  output Real x(start = 0, fixed = true);
equation
  der(x) = if time < 0.507 then 0 else 1;
  annotation(experiment(StopTime = 1, Interval = 0.02));
end Between;
