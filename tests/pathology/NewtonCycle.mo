// what: a start value from which Newton's method goes in a circle
// watch: y = cbrt(-(2-t)/2 + sqrt((2-t)*(2-t)/4 - 8.0/27)) + cbrt(-(2-t)/2 - sqrt((2-t)*(2-t)/4 - 8.0/27))
// says: unsolved refused
model NewtonCycle
  Real x(start = 0, fixed = true);
  output Real y(start = 0);
equation
  der(x) = 1;
  y^3 - 2*y + 2 = x;
  annotation(experiment(StopTime = 0.5, Interval = 0.01));
end NewtonCycle;
