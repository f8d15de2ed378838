// what: the same with events: a relation that is true between two points
// says: within
// methods: be rk4 radau5 ida
// watch: x = t < 0.7 ? 0 : 1
// jump: 0.7
model GateOfState
  output Real x(start = 0, fixed = true);
  Real phi(start = 0, fixed = true);
equation
  der(phi) = 1;
  der(x) = if abs(phi - 0.7033) < 1e-4 then 5e3 else 0;
  annotation(experiment(StopTime = 2, Interval = 0.01));
end GateOfState;
