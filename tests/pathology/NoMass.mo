// what: a mass set to zero
// set: m 0
// watch: v = t
// until: 0
// says: unbounded singular unsolved refused
model NoMass
  parameter Real m = 1;
  output Real v(start = 0, fixed = true);
equation
  m*der(v) = 1;
  annotation(experiment(StopTime = 1, Interval = 0.01));
end NoMass;
