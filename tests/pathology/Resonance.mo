// what: driven at its resonance: what a method damps does not grow
// watch: x = (sin(20*t) - 20*t*cos(20*t))/800
// says: error stability
model Resonance
  output Real x(start = 0, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = sin(20*time) - 400*x;
  annotation(experiment(StopTime = 5, Interval = 0.01));
end Resonance;
