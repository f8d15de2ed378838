// what: an oscillation that grows, and that some methods damp
// watch: x = exp(0.5*t)*(cos(sqrt(99.75)*t) - 0.5/sqrt(99.75)*sin(sqrt(99.75)*t))
// says: error stability
model Growing
  output Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = v - 100*x;
  annotation(experiment(StopTime = 5, Interval = 0.05));
end Growing;
