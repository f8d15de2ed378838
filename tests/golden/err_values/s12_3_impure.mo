model M
  impure function g
    input Real x;
    output Real y;
  algorithm
    y := 2*x;
  end g;
  pure function f
    input Real x;
    output Real y;
  algorithm
    y := g(x) + 1;
  end f;
  Real a = f(time);
end M;
