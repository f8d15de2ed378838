model Driven "two inputs, two outputs: A, B, C and D can be read off"
  input Real u, w;
  Real x(start = 1, fixed = true), z(start = 0, fixed = true);
  output Real y = 4*x + 5*u, q = z - 6*w;
  Real near;
equation
  der(x) = -2*x + 3*u + 7*z;
  3*near + near^3 = 3*z + 8*w "near is z + 8/3 w near 0";
  der(z) = -near + x*w;
end Driven;
