// what: a sum of Integers leaves 32 bits at the negative end
// watch: k = -1e8*floor(t/0.1 + 1e-6)
// until: 2.195
// says: integer
model Sum
  output Integer k(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0.1, 0.1) then
    k = pre(k) - 100000000;
  end when;
  annotation(experiment(StopTime = 3, Interval = 0.01));
end Sum;
