// A target with a subscript known at run time only is assigned by conditions in
// initial algorithms as in others.
model RunTimeTarget
  Real x[2](each start = 0);
  Real z[2](each start = 0);
  Real u = time;
initial algorithm
  x[integer(u) + 1] := 2;
algorithm
  z[integer(u) + 1] := 2;
equation
  der(x) = {1, 1};
end RunTimeTarget;
