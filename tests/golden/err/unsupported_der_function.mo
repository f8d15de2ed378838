// exit: 3
model M
  function f
    input Real u;
    input Real p;
    output Real y = u^2 + p;
  algorithm
  end f;
  function f_u = der(f, u);
  Real y = f_u(3, 1);
end M;
