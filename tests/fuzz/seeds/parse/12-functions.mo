package Functions
  function f
    external "C" y[1].z = c_f(x, size(x, 1)) annotation(Library = "m");
    annotation(derivative(noDerivative = k) = df, Inline = true);
  end f;
  function g external; end g;
  function h external "FORTRAN 77" sub(); end h;
  function k external "C" annotation(Include = "#include <a.h>"); end k;
  model M
  equation
    y = integrate(function Parabola(a = 1, b = {2}), 0, 1);
    y = f(1, 2, tol = 3, g = function sin());
    y = f();
    y = pure(f(x));
    y = f(a = 1);
  end M;
end Functions;
