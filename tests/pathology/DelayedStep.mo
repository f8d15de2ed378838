// what: a step just after a point of output, delayed: no slope of the memory
// watch: y = t < 0.737 ? 0 : 1 - exp(-5*(t - 0.737))
// says: error
// methods: be radau5 ida
model DelayedStep
  Real u;
  output Real y(start = 0, fixed = true);
equation
  u = if time > 0.5 then 1 else 0;
  der(y) = 5*(delay(u, 0.237) - y);
  annotation(experiment(StopTime = 2, Interval = 0.05));
end DelayedStep;
