model SizeOfModels "size() and ndims() of arrays of models, which have no value"
  model Tank
    parameter Real a = 1;
    Real x(start = a, fixed = true);
  equation
    der(x) = -x;
  end Tank;
  parameter Integer n = 3;
  Tank t[n](a = {1, 2, 3});
  Tank g[2, n](each a = 2);
  Tank none[0];
  parameter Integer k = size(t, 1);
  parameter Integer both[2] = size(g);
  Real s[size(g, 2)];
  Real total;
equation
  for i in 1:size(t, 1) loop
    s[i] = t[i].x;
  end for;
  total = sum(t[i].x for i in 1:size(t, 1)) + size(g, 1)*g[end, end].x + ndims(g) + size(none, 1);
  assert(abs(total - 10*exp(-time) - 2) < 1e-6, "total");
  assert(k == 3 and both[1] == 2 and both[2] == 3, "sizes");
end SizeOfModels;
