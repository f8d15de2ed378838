/* 12.7.1: the derivative of a Real input is Real, not Boolean. */
model DerivativeType
  function f
    input Real x;
    input Integer n;
    output Real y;
  algorithm
    y := n*x^2;
    annotation (derivative = df);
  end f;
  function df
    input Real x;
    input Integer n;
    input Boolean dx;
    output Real dy;
  algorithm
    dy := if dx then 2*n*x else 0;
  end df;
  function g
    input Real x;
    output Real y;
  algorithm
    y := sin(x);
    annotation (derivative = dg);
  end g;
  function dg
    input Real x;
    input Real dx;
    output Integer dy;
  algorithm
    dy := 1;
  end dg;
  Real y = f(time, 2);
  Real z = g(time);
end DerivativeType;
