// what: a characteristic of straight lines, one 10,000 times steeper
// watch: y = sin(5*t) < 0 ? 2*sin(5*t) : 2*sin(5*t)/10001
// says: unsolved
model Kink
  Real s(start = 0, fixed = true);
  output Real y(start = 0);
equation
  der(s) = 1;
  y + noEvent(if y < 0 then 0 else 1e4*y) = 2*sin(5*s);
  annotation(experiment(StopTime = 3, Interval = 0.01));
end Kink;
