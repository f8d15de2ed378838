model Deriv
  function f
    input Real x; input Real k; output Real y;
  algorithm
    y := if x > 0 then k*x^2 else k*x^2;
    annotation(derivative(noDerivative = k) = df, Inline = false);
  end f;
  function df
    input Real x; input Real k; input Real dx; output Real dy;
  algorithm
    dy := 2*k*x*dx;
  end df;
  Real x(start = 1, fixed = true), y, v, z;
equation
  der(x) = x; y = f(x, 3); v = der(y); z = der(f(2*x, 1));
equation
  assert(time < 0.999 or abs(v - (44.334336593583899)) < 2e-6*(1 + abs(44.334336593583899)), "v");
  assert(time < 0.999 or abs(z - (59.112448791445203)) < 2e-6*(1 + abs(59.112448791445203)), "z");
end Deriv;
