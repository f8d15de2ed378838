model DerivativeSelf "a derivative function that calls the function, as that of an exponential does"
  function f
    input Real x;
    output Real y;
    external "C" y = exp(x) annotation(Include = "#include <math.h>");
    annotation(derivative = f_der);
  end f;
  function f_der
    input Real x;
    input Real dx;
    output Real dy;
  algorithm
    dy := f(x)*dx;
  end f_der;
  Real z(start = 0.5), w, y = f(time);
equation
  f(z) = 1 + time;
  w = der(z);
  assert(abs(z - log(1 + time)) < 1e-6, "z");
  assert(abs(w - 1/(1 + time)) < 1e-6, "w");
end DerivativeSelf;
