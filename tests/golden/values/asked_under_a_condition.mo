// The value of n is asked for first inside a function and below a condition;
// its assertion holds whether that is taken or not.
model AskedUnderACondition
  function h
    input Real x;
    output Integer n;
  algorithm
    assert(x > 5, "h needs x > 5");
    n := integer(x);
  end h;
  function f
    input Real x;
    input Integer n;
    output Real y;
  algorithm
    if x > 3 then
      y := sum(fill(x, n));
    else
      y := 0;
    end if;
  end f;
  parameter Real p = 7;
  Real y = f(time, n);
  parameter Integer n = h(p);
end AskedUnderACondition;
