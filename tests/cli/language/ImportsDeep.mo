package P "nested packages with imports, ünïcödé in comments: ∂x/∂t → 0"
  package Const
    constant Real c = 4;
    package Deep
      constant Real d = 2*c;
      function f
        input Real x;
        output Real y = d*x;
      algorithm
      end f;
    end Deep;
  end Const;
  package Use
    import D = P.Const.Deep;
    import P.Const.{c};
    model M
      import P.Const.Deep.f;
      Real y = f(time) + D.d + c; // Größe in m²
      Real 'größe in %' = 2*time "quoted µ";
    end M;
  end Use;
  model Test
    extends Use.M;
  equation
    assert(abs(y - 8*time - 12) < 1e-12, "y");
    assert('größe in %' == 2*time, "q");
    annotation(Icon(graphics = {Text(textString = "%name ✓")}), __Vendor(x = {1, "a", foo(b = 2)}, y(z = true)));
  end Test;
end P;
