// what: an Integer parameter is given a fraction
// set: n 2.5
// watch: x = exp(-2*t)
// says: refused
model HalfInteger
  parameter Integer n = 2;
  output Real x(start = 1, fixed = true);
equation
  der(x) = -n*x;
  annotation(experiment(StopTime = 1, Interval = 0.001));
end HalfInteger;
