model M
  function f
    input Real x;
    input Real k = 2;
    output Real y;
  algorithm
    y := k*x;
  end f;
  Real a[2] = f({1, 2}, {1, 2, 3});
end M;
