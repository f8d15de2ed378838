model A
  Real x;
equation
  x = 1;
  Real y;
  parameter Real z = 1;
  import B;
  model C end C;
algorithm
  Real q;
end A;
