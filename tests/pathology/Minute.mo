// what: an event of a state that is smaller than every tolerance
// says: error tolerance within
// methods: be ida
// watch: n = floor((10*t - asin(0.99))/(2*M_PI) + 1)
model Minute
  Real x(start = 0, fixed = true), v(start = 1e-11, fixed = true);
  output Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -100*x;
  when x > 0.99e-12 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 5, Interval = 0.01));
end Minute;
