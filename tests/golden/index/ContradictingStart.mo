// tolerance: 1e-3
// Fixed start values far away from every consistent point
model ContradictingStart
  Real x(start = 5e3, fixed = true), y(start = 7e3, fixed = true), u, v, l;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -l*x;
  der(v) = -l*y - 9.81;
  x^2 + y^2 = 1;
end ContradictingStart;
