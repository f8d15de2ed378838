/* Members of a local record whose size another member gives (12.4.4), and a
 * record of which a function sets only what it needs. */
model s12_record_members
  record Coefficients
    parameter Integer n = 1;
    parameter Real a[n];
  end Coefficients;
  record Three
    extends Coefficients(n = 3, a = {1, 2, 4});
  end Three;
  function pick
    input Integer k;
    output Real y;
  protected
    Three c;
  algorithm
    y := c.a[k] + 10*c.n;
  end pick;
  record Pair
    Real a, b;
  end Pair;
  function half
    input Boolean first;
    output Pair p;
  algorithm
    if first then
      p.a := 5;
    else
      p.b := 6;
    end if;
  end half;
  constant Real second = pick(2);
  constant Pair one = half(true), other = half(false);
  constant Real known = one.a + other.b;
  package Base
    constant Real x = 1;
  end Base;
  package Derived
    extends Base(x = 2*y);
    constant Real y = 21;
  end Derived;
  constant Real own = Derived.x;
end s12_record_members;
