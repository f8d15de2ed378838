model M
  function f
    input Real u;
    output Real y;
    Real z;
  algorithm
    y := u;
  end f;
  Real y = f(1);
end M;
