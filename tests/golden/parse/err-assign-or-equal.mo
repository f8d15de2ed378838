model A
  Real x := 1;
equation
  x := 1;
algorithm
  x = 1;
  f(x) := 2;
  3 := x;
  (a, b) := 3;
  connect(a, b);
end A;
