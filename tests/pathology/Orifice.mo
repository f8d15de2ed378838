// what: two tanks level out through an orifice: the slope is infinite at the end
// watch: d = t < 1 ? (1 - t)*(1 - t) : 0
// says: unsolved error unbounded
model Orifice
  Real a(start = 1, fixed = true), b(start = 0, fixed = true);
  output Real d;
equation
  d = a - b;
  der(a) = -noEvent(if d > 0 then sqrt(d) else -sqrt(-d));
  der(b) = noEvent(if d > 0 then sqrt(d) else -sqrt(-d));
  annotation(experiment(StopTime = 2, Interval = 0.03));
end Orifice;
