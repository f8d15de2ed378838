// what: a pulse of the length of a step
// watch: x = 0.5*(erf((t - 1.02)/0.02) + 1)
// says: error
model Pulse
  output Real x(start = 0, fixed = true);
equation
  der(x) = exp(-((time - 1.02)/0.02)^2)/(0.02*sqrt(3.14159265358979324));
  annotation(experiment(StopTime = 2, Interval = 0.05));
end Pulse;
