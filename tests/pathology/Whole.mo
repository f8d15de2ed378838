// what: integer() of a Real beyond 32 bits
// watch: n = floor(exp(t))
// until: 21.4876
// says: integer events
model Whole
  Real x(start = 0, fixed = true);
  discrete output Integer n(start = 1, fixed = true);
equation
  der(x) = 1;
  when sample(0.01, 0.01) then
    n = integer(exp(time));
  end when;
  annotation(experiment(StopTime = 25, Interval = 0.01));
end Whole;
