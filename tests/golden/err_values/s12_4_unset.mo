model M
  function f
    input Real x;
    output Real y;
  protected
    Real z;
  algorithm
    y := z + x;
  end f;
  Real a = f(1);
end M;
