model A
  Real;
  Real x y;
  Real x[3;
  Real x(start = );
  Real x(start 1);
  Real x(3);
  Real 3x;
  x.y z
  (a = 1);
  = 3;
  Real a(each redeclare Real x);
end A;
