// what: a quotient of two states that have fallen far below their absolute tolerance
// watch: r = exp(0.5*t)
// says: tolerance error stability
// methods: be rodas4 ida
model Quotient
  Real a(start = 1, fixed = true), b(start = 1, fixed = true);
  output Real r;
equation
  der(a) = -20*a;
  der(b) = -20.5*b;
  r = a/b;
  annotation(experiment(StopTime = 4, Interval = 0.01));
end Quotient;
