// what: four equations become singular together
// watch: a = 1/(1-4*t/3)
// until: 0.75
// says: singular unbounded unsolved
model FourByFour
  Real k(start = 0, fixed = true);
  output Real a(start = 1);
  Real b(start = 1), c(start = 1), d(start = 1);
equation
  der(k) = -1/3;
  a + k*(a + b + c + d) = 1;
  b + k*(a + b + c + d) = 1;
  c + k*(a + b + c + d) = 1;
  d + k*(a + b + c + d) = 1;
  annotation(experiment(StopTime = 1.5, Interval = 0.02));
end FourByFour;
