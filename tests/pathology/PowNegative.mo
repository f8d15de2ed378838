// what: a power that is no number of a state that turns negative
// watch: s = t < 1 ? 0.4*(1 - pow(1 - t, 2.5)) : 0.4
// until: 1
// says: unbounded unsolved error
// methods: rk4
model PowNegative
  parameter Real p = 1.5;
  output Real x(start = 1, fixed = true);
  output Real s(start = 0, fixed = true);
equation
  der(x) = -1;
  der(s) = x^p;
  annotation(experiment(StopTime = 2, Interval = 0.01));
end PowNegative;
