// what: mild at first, seven orders of magnitude stiffer later
// watch: x = cos(t)
// says: unbounded error stability
model LateStiff
  output Real x(start = 1, fixed = true);
equation
  der(x) = -10^(2*time)*(x - cos(time)) - sin(time);
  annotation(experiment(StopTime = 4, Interval = 0.01));
end LateStiff;
