// what: a mode that hardly decays, damped away by the method
// watch: x = exp(-0.05*t)*(cos(sqrt(1e4-0.0025)*t) + 0.05/sqrt(1e4-0.0025)*sin(sqrt(1e4-0.0025)*t))
// says: error stability
model LightlyDamped
  output Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -1e4*x - 0.1*v;
  annotation(experiment(StopTime = 2, Interval = 0.001));
end LightlyDamped;
