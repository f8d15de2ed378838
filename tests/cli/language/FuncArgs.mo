model FuncArgs
  partial function F
    input Real u; output Real y;
  end F;
  function poly
    extends F;
    input Real a = 1; input Real b = 2;
  algorithm
    y := a*u^2 + b;
  end poly;
  function twice
    input F f; input Real u; output Real y;
  algorithm
    y := f(f(u));
  end twice;
  function integrate
    input F f; input Real a; input Real b; input Integer n = 100; output Real s = 0;
  protected
    Real h = (b - a)/n;
  algorithm
    for i in 1:n loop
      s := s + h*f(a + (i - 0.5)*h);
    end for;
  end integrate;
  Real x = twice(function poly(a = 2, b = 1), 1 + time);
  Real k = integrate(function poly(a = 3, b = 0), 0, 1);
  Real m = integrate(poly, b = time, a = 0, n = 4);
equation
  assert(time < 0.999 or abs(x - (163)) < 2e-6*(1 + abs(163)), "x");
  assert(time < 0.999 or abs(k - (0.99997499999999984)) < 2e-6*(1 + abs(0.99997499999999984)), "k");
  assert(time < 0.999 or abs(m - (2.328125)) < 2e-6*(1 + abs(2.328125)), "m");
end FuncArgs;
