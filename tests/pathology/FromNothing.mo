// what: growth from far below every tolerance
// says: error tolerance
// methods: be ida
// watch: x = 1/(1+(1e15-1)*exp(-t))
model FromNothing
  output Real x(start = 1e-15, fixed = true);
equation
  der(x) = x*(1 - x);
  annotation(experiment(StopTime = 60, Interval = 0.5));
end FromNothing;
