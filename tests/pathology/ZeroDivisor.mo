// what: a division of Integers by zero
// watch: m = floor(100/(5 - floor(t + 1e-6)))
// until: 4.99
// says: integer asserted unbounded
model ZeroDivisor
  Real x(start = 0, fixed = true);
  Integer k(start = 0, fixed = true);
  output Integer m(start = 20, fixed = true);
equation
  der(x) = 1;
  when sample(1, 1) then
    k = pre(k) + 1;
    m = div(100, 5 - k);
  end when;
  annotation(experiment(StopTime = 8, Interval = 0.01));
end ZeroDivisor;
