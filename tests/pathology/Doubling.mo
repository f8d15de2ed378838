// what: an Integer doubles until it leaves 32 bits
// watch: k = ldexp(1, (int)floor(t/0.1 + 1e-6))
// until: 3.095
// says: integer
model Doubling
  output Integer k(start = 1, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0.1, 0.1) then
    k = 2*pre(k);
  end when;
  annotation(experiment(StopTime = 4, Interval = 0.01));
end Doubling;
