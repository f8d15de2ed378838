// A variable or an output without a value is an error where it is used.
model M
  function f
    input Real x;
    output Real y;
    output Real w;
  algorithm
    y := x;
  end f;
  function g
    input Real x;
    output Real y;
  protected
    Real e = z - x;
    Real z;
  algorithm
    z := x;
    y := e;
  end g;
  function h
    input Real x;
    output Real y;
  protected
    Real u;
  algorithm
    (y, u) := f(x);
  end h;
  function k
    input Real x;
    output Real y;
  protected
    Real v[n];
    Integer n;
  algorithm
    n := 2;
    y := x;
  end k;
  Real a, b, c = g(time), d = h(time), l = k(time), ok = f(time);
equation
  (a, b) = f(time);
end M;
