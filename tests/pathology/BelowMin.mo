// what: a level below its min: the equations have a solution, the tank has not
// watch: h = 1 - t
// until: 1.02
// says: bounds
model BelowMin
  output Real h(start = 1, fixed = true, min = 0);
equation
  der(h) = -1;
  annotation(experiment(StopTime = 2, Interval = 0.01));
end BelowMin;
