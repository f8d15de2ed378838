// what: each event sets the time of the next one, so that what it is late by adds up
// watch: n = t < 0.05 ? 0 : floor(log((t + 2.3)/2.35)/log(1.01) + 1 + 1e-9)
// says: error events
// methods: lie rodas4 ida
model Appointments
  Real x(start = 0, fixed = true), s(start = 0, fixed = true);
  discrete Real next(start = 0.05, fixed = true);
  output Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  der(s) = n;
  when time >= pre(next) then
    next = time + 0.023 + 0.01*x;
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 10, Interval = 0.01));
end Appointments;
