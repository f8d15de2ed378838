// what: a nominal value that is far too small
// watch: x = exp(-t)
// says: unbounded error defect
// methods: radau5
model TinyNominal
  output Real x(start = 1, fixed = true, nominal = 1e-12);
  Real y(nominal = 1e-12);
equation
  der(x) = -y;
  y + y^3 = x + x^3;
  annotation(experiment(StopTime = 2, Interval = 0.001));
end TinyNominal;
