// what: a smooth pulse of a thousandth of a step
// watch: x = 0.5*(erf((t - 0.507)/2e-5) + 1)
// says: within error
model Spike
  output Real x(start = 0, fixed = true);
equation
  der(x) = exp(-((time - 0.507)/2e-5)^2)/(2e-5*sqrt(3.14159265358979324));
  annotation(experiment(StopTime = 1, Interval = 0.02));
end Spike;
