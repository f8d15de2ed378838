// what: five steps for a period
// watch: x = cos(20*M_PI*t)
// says: error stability
model Oscillation
  output Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -(20*3.14159265358979324)^2*x;
  annotation(experiment(StopTime = 1, Interval = 0.02));
end Oscillation;
