model M
  function scale
    input Real u;
    output Real y;
  protected
    constant Real a = scale(3);
  algorithm
    y := u;
  end scale;
  Real y = scale(2);
end M;
