// what: a parameter beyond the range of numbers
// set: c 1e999
// watch: x = exp(-t)
// says: refused
model Infinite
  parameter Real c = 1;
  output Real x(start = 1, fixed = true);
equation
  der(x) = -c*x;
  annotation(experiment(StopTime = 1, Interval = 0.01));
end Infinite;
