// check: q 1 1
// grid: 0.01
// seen: 0.001
model Quantizer "floor(3 t): 0, 1, 2 for a third each"
  Real x(start = 0, fixed = true), q(start = 0, fixed = true);
equation
  der(x) = 3;
  der(q) = floor(x);
end Quantizer;
