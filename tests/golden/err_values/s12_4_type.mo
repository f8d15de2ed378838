model M
  function f
    input Real x;
    input Real k = 2;
    output Real y;
  algorithm
    y := k*x;
  end f;
  Real a = f("1");
end M;
