model M
  function f
    input Real x;
    output Real y;
  algorithm
    x := 1;
    y := x;
  end f;
  Real a = f(1);
end M;
