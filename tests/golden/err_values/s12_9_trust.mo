model M
  function f
    input Real x;
    output Real y;
  external "C" y = my_function(x);
  end f;
  Real a = f(time);
end M;
