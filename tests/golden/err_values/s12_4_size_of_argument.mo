model M
  function f
    input Real x[3];
    output Real y = sum(x);
  algorithm
  end f;
  Real a = f({1, 2});
end M;
