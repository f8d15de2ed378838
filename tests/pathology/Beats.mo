// what: two oscillators that exchange their energy, twelve steps for a period
// watch: x = 0.5*(cos(10*t) + cos(sqrt(110)*t))
// says: error stability
model Beats
  output Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  Real v(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  der(x) = v;
  der(y) = w;
  der(v) = -100*x + 5*(y - x);
  der(w) = -100*y + 5*(x - y);
  annotation(experiment(StopTime = 10, Interval = 0.05));
end Beats;
