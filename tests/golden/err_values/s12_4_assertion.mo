model M
  function f
    input Real x;
    output Real y;
  algorithm
    assert(x > 0, "x must be positive, but it is " + String(x));
    y := log(x);
  end f;
  constant Real a = f(-1.5);
end M;
