/* 8.3.5: what a when clause determines is discrete. */
model Derivative
  Real x(start = 1, fixed = true), y;
  discrete Real z(start = 0.1, fixed = true);
equation
  der(x) = -x*y;
  y + z = 2;
  when sample(0, 0.1) then
    x = z + 0.1*exp(z);
  end when;
end Derivative;
