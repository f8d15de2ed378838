// what: the difference of two large numbers
// watch: e = 1 - cos(t)
// says: rounding
// methods: be radau5 rk4 ida
model Cancels
  Real a(start = 1e16, fixed = true), b(start = 1e16, fixed = true);
  output Real e;
equation
  der(a) = sin(time);
  der(b) = 0*a;
  e = a - b;
  annotation(experiment(StopTime = 3, Interval = 0.02));
end Cancels;
