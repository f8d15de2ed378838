package Importing

  package Lib
    constant Real c = 5;
    package Deep
      constant Real d = 7, e = 8;
      function f input Real u; output Real y; algorithm y := u + d; end f;
      function g input Real u; output Real y; algorithm y := u*e; end g;
    end Deep;
    encapsulated package Enc
      import Importing.Lib;
      constant Real q = Lib.c + 1;
      model M
        import Importing.Lib.Deep.f;
        import D = Importing.Lib.Deep;
        Real y = f(1) + D.g(2) + D.d;
      end M;
      model W
        import Importing.Lib.Deep.*;
        Real y = f(1) + g(1);
      end W;
    end Enc;
  end Lib;
model Imports
  Lib.Enc.M m; Lib.Enc.W w; Real q = Lib.Enc.q;
equation
  assert(time < 0.999 or abs(m.y - (31)) < 2e-6*(1 + abs(31)), "m.y");
  assert(time < 0.999 or abs(w.y - (16)) < 2e-6*(1 + abs(16)), "w.y");
  assert(time < 0.999 or abs(q - (6)) < 2e-6*(1 + abs(6)), "q");
end Imports;
end Importing;
