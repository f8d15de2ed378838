// what: a product of Integers leaves 32 bits
// watch: m = floor(1e4*t + 1e-6)*floor(1e4*t + 1e-6)
// until: 4.6341
// says: integer
model Squares
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
  output Integer m(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0.01, 0.01) then
    n = integer(1e4*time + 1e-6);
    m = n*n;
  end when;
  annotation(experiment(StopTime = 8, Interval = 0.01));
end Squares;
