// what: a start between two branches, and a first step that goes over to one of them
// watch: y = 0.5*sin(t)
// says: singular unsolved
model Comparator
  Real p = 0.5*sin(time);
  Real v = p - 0.0005*log((1 + p)/(1 - p));
  Real z(start = 0, fixed = true);
  output Real y(start = 0);
equation
  y = tanh(1000*(y - v));
  der(z) = y - z;
  annotation(experiment(StopTime = 4, Interval = 0.02));
end Comparator;
