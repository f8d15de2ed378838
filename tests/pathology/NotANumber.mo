// what: a parameter that is not a number
// set: c nan
// watch: x = exp(-t)
// says: refused
model NotANumber
  parameter Real c = 1;
  output Real x(start = 1, fixed = true);
equation
  der(x) = -c*x;
  annotation(experiment(StopTime = 1, Interval = 0.01));
end NotANumber;
