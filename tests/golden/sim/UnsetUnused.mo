model UnsetUnused "what has no value and is not used is no error (12.4.4)"
  function split "the remainder of the empty vector is not assigned"
    input Real v[:];
    output Real total;
    output Integer most;
    output Real mean;
  algorithm
    total := sum(v);
    if size(v, 1) > 0 then
      most := size(v, 1);
      mean := total/most;
    end if;
  end split;
  function root "e and d are declared with a variable that comes later"
    input Real a;
    output Real x;
  protected
    Real e = z^2 - a;
    Real d[2] = {e, z};
    Real z;
  algorithm
    z := sqrt(a);
    x := z;
    d[2] := 0;
  end root;
  function both
    input Real v[:];
    output Real y;
  protected
    Real m;
  algorithm
    if size(v, 1) > 0 then
      (y, , m) := split(v);
      y := y + m;
    else
      y := split(v);
    end if;
  end both;
  Real full = both({1.0, 2.0, 3.0*time}), empty = both(zeros(0));
  Real x = root(4 + time), n, k;
equation
  (n, k) = split({time, 1});
  when terminal() then
    assert(full == 8 and empty == 0, "the sum, and the mean if there is one");
    assert(abs(x - sqrt(5)) < 1e-15, "the root");
    assert(n == 2 and k == 2, "sum and number");
  end when;
end UnsetUnused;
