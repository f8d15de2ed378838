package OpVecs
operator record Vec "a vector of two with its own arithmetic"
  Real x, y;
  encapsulated operator 'constructor'
    function fromReal
      import OpVecs.Vec;
      input Real a; output Vec v(x = a, y = a);
    algorithm
    end fromReal;
    function fromTwo
      import OpVecs.Vec;
      input Real x; input Real y; output Vec v(x = x, y = y);
    algorithm
    end fromTwo;
  end 'constructor';
  encapsulated operator function '0'
    import OpVecs.Vec;
    output Vec v;
  algorithm
    v := Vec(0, 0);
  end '0';
  encapsulated operator '-'
    function negate
      import OpVecs.Vec;
      input Vec a; output Vec v;
    algorithm
      v := Vec(-a.x, -a.y);
    end negate;
    function minus
      import OpVecs.Vec;
      input Vec a; input Vec b; output Vec v;
    algorithm
      v := Vec(a.x - b.x, a.y - b.y);
    end minus;
  end '-';
  encapsulated operator function '+'
    import OpVecs.Vec;
    input Vec a; input Vec b; output Vec v;
  algorithm
    v := Vec(a.x + b.x, a.y + b.y);
  end '+';
  encapsulated operator '*'
    function scale
      import OpVecs.Vec;
      input Real k; input Vec b; output Vec v;
    algorithm
      v := Vec(k*b.x, k*b.y);
    end scale;
    function dot
      import OpVecs.Vec;
      input Vec a; input Vec b; output Real v;
    algorithm
      v := a.x*b.x + a.y*b.y;
    end dot;
  end '*';
  encapsulated operator function '=='
    import OpVecs.Vec;
    input Vec a; input Vec b; output Boolean v;
  algorithm
    v := a.x == b.x and a.y == b.y;
  end '==';
  encapsulated operator function 'String'
    import OpVecs.Vec;
    input Vec a; output String s;
  algorithm
    s := String(a.x) + "|" + String(a.y);
  end 'String';
end Vec;
model OpVec
  constant Vec c1 = Vec(1, 2), c2 = Vec(3);
  Vec a = Vec(time, 2), b = 2*a - Vec(1, 1), s = sum({a, b, c1});
  Vec n = -a + b;
  Real d = a*b;
  Boolean e = c1 == Vec(1, 2), f = c1 == c2;
  Integer len = Modelica_length(String(c1));
  function Modelica_length
    input String s; output Integer n;
    external "C" n = ModelicaStrings_length(s);
  end Modelica_length;
equation
  assert(time < 0.999 or abs(b.x - (1)) < 2e-6*(1 + abs(1)), "b.x");
  assert(time < 0.999 or abs(b.y - (3)) < 2e-6*(1 + abs(3)), "b.y");
  assert(time < 0.999 or abs(s.x - (3)) < 2e-6*(1 + abs(3)), "s.x");
  assert(time < 0.999 or abs(s.y - (7)) < 2e-6*(1 + abs(7)), "s.y");
  assert(time < 0.999 or abs(n.x - (0)) < 2e-6*(1 + abs(0)), "n.x");
  assert(time < 0.999 or abs(n.y - (1)) < 2e-6*(1 + abs(1)), "n.y");
  assert(time < 0.999 or abs(d - (7)) < 2e-6*(1 + abs(7)), "d");
  assert(time < 0.999 or e == true, "e");
  assert(time < 0.999 or f == false, "f");
  assert(time < 0.999 or abs(len - (3)) < 2e-6*(1 + abs(3)), "len");
end OpVec;
end OpVecs;
