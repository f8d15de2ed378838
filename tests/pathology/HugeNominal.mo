// what: a nominal value that is far too large: iterations end early
// watch: x = exp(-t)
// says: unbounded error defect unsolved
// methods: radau5
model HugeNominal
  output Real x(start = 1, fixed = true, nominal = 1e9);
  Real y(nominal = 1e9, start = 3);
equation
  der(x) = -y;
  y + y^3 = x + x^3;
  annotation(experiment(StopTime = 2, Interval = 0.001));
end HugeNominal;
