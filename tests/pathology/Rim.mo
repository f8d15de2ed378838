// what: a point on a circle, with one coordinate as the state, at the rim
// watch: x = -sin(t)
// watch: y = cos(t)
// says: unsolved singular unbounded error
model Rim
  output Real x(start = 0, fixed = true), y(start = 1);
equation
  der(x) = -y;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 3, Interval = 0.01));
end Rim;
