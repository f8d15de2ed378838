model M
  function f
    input Real u;
    output Real y;
  protected
    outer Real v;
  algorithm
    y := u;
  end f;
  function g
    input Real u;
    output Real y;
  protected
    inner Real v;
  algorithm
    y := u;
  end g;
  inner Real v = 1;
  Real y = f(1) + g(1);
end M;
