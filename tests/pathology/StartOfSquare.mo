// what: the derivative of a product is given at the start alone
// watch: x = cos(t) + 2*sin(t)
// says: refused error
model StartOfSquare
  output Real x(start = 1);
  Real y(start = 1), w;
equation
  der(x) = y;
  der(y) = -x;
  w = x*x;
initial equation
  x = 1;
  der(w) = 4;
  annotation(experiment(StopTime = 3, Interval = 0.002));
end StartOfSquare;
