// what: stiff from an event on
// watch: x = t < 1 ? exp(-t) : cos(t - 1) + (exp(-1) - 1)*exp(-1e5*(t - 1))
// jump: 1
// says: unbounded error defect stability
// methods: rk4
model StiffSwitch
  output Real x(start = 1, fixed = true);
equation
  der(x) = if time < 1 then -x else -1e5*(x - cos(time - 1)) - sin(time - 1);
  annotation(experiment(StopTime = 2, Interval = 0.01));
end StiffSwitch;
