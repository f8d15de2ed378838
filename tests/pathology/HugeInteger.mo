// what: an Integer parameter beyond 32 bits
// set: n 3000000000
// watch: x = 1 + t
// says: refused integer
model HugeInteger
  parameter Integer n = 1;
  output Real x(start = 1, fixed = true);
equation
  der(x) = n;
  annotation(experiment(StopTime = 1, Interval = 0.01));
end HugeInteger;
