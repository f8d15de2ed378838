model Loops "loops whose number of turns only the run knows"
  function root "of a*x^3 + x = b, by Newton"
    input Real a, b;
    output Real x;
  protected
    Real d;
    Integer n;
  algorithm
    x := 0;
    d := 1;
    n := 0;
    while abs(d) > 1e-12 loop
      d := (a*x^3 + x - b)/(3*a*x^2 + 1);
      x := x - d;
      n := n + 1;
      if n > 60 then
        break;
      end if;
    end while;
  end root;
  function powersum
    input Real x;
    input Integer n;
    output Real y;
  algorithm
    y := 0;
    for i in 1:n loop
      y := y + x^i;
      if y > 0.42 then
        return;
      end if;
    end for;
  end powersum;
  Real z "z + root(0.5, z) = u";
  Real u = sin(time) + 0.5;
  Real s = powersum(0.3, integer(8*time) + 1);
equation
  z + root(0.5, z) = u;
  assert(abs(0.5*(u - z)^3 + (u - z) - z) < 1e-9, "not the root");
  assert(abs(time - 0.25) > 0.01 or abs(s - (0.3 + 0.09 + 0.027)) < 1e-12, "three terms");
  assert(time < 0.45 or abs(s - (0.3 + 0.09 + 0.027 + 0.0081)) < 1e-12, "it returns after four");
end Loops;
