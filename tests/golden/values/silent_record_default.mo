// The default of a cannot be evaluated in the function, where it is not used.
model RecordDefault
  function g
    input Real x;
    output Real y;
  algorithm
    assert(x > 5, "g needs x > 5");
    y := x;
  end g;
  record R
    constant Real c[2] = {1, 2};
    Real a = g(time) + c[4];
    Real b;
  end R;
  function f
    input Real x;
    output Real y;
  protected
    R r;
  algorithm
    r.b := x;
    y := r.b;
  end f;
  Real y = f(time);
end RecordDefault;
