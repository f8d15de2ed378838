model Misleading "a root by bisection, whose derivative as written is 0"
  function root
    input Real x;
    output Real y;
  protected
    Real a = -10, b = 10, m;
  algorithm
    for i in 1:50 loop
      m := (a + b)/2;
      a := if m^3 + m < x then m else a;
      b := if m^3 + m < x then b else m;
    end for;
    y := (a + b)/2;
  end root;
  Real y = root(time);
end Misleading;
