package Foreign "external functions in C of all kinds of arguments"
  pure function cubic
    input Real x;
    output Real y;
  external "C" y = shape_cubic(x) annotation(Include = "#include \"shapes.h\"", Library = "shapes");
    annotation(derivative = cubic_der);
  end cubic;

  pure function cubic_der
    input Real x;
    input Real dx;
    output Real dy;
  external "C" dy = shape_cubic_der(x, dx) annotation(Include = "#include \"shapes.h\"", Library = "shapes");
  end cubic_der;

  pure function smoothed "differences are allowed"
    input Real x, y;
    output Real z;
  external "C" z = shape_smooth(x, y) annotation(Include = "#include \"shapes.h\"", Library = "shapes");
    annotation(smoothOrder = 2);
  end smoothed;

  pure function scale "a matrix in, another one out"
    input Real a[:, :];
    input Real k;
    output Real b[size(a, 2), size(a, 1)];
  external "C" shape_scale(a, size(a, 1), size(a, 2), k, b)
    annotation(Include = "#include \"shapes.h\"", Library = "shapes");
  end scale;

  pure function count
    input String text;
    input Integer letter;
    output Integer n;
  external "C" n = shape_count(text, letter) annotation(Include = "#include \"shapes.h\"", Library = "shapes");
  end count;

  record Box
    Real width, height;
    Integer sign;
  end Box;

  pure function norm
    input Box box;
    output Real d;
  external "C" d = shape_norm(box) annotation(Include = "#include \"shapes.h\"", Library = "shapes");
  end norm;

  pure function guarded "fails above 0.5"
    input Real x;
    output Real y;
  external "C" y = shape_guarded(x) annotation(Include = "#include \"shapes.h\"", Library = "shapes");
  end guarded;

  class Filter
    extends ExternalObject;
    function constructor
      input String name;
      input Real weight[:];
      output Filter filter;
    external "C" filter = filter_open(name, weight, size(weight, 1))
      annotation(Include = "#include \"shapes.h\"", Library = "shapes");
    end constructor;
    function destructor
      input Filter filter;
    external "C" filter_close(filter) annotation(Include = "#include \"shapes.h\"", Library = "shapes");
    end destructor;
  end Filter;

  pure function apply
    input Filter filter;
    input Real x;
    output Real y;
  external "C" y = filter_apply(filter, x) annotation(Include = "#include \"shapes.h\"", Library = "shapes");
  end apply;

  model All
    parameter Real a[2, 3] = [1, 2, 3; 4, 5, 6];
    Filter f = Filter("one", {1, 2, 3});
    Filter g = Filter("two", {0, -1});
    Real x(start = 0.2, fixed = true);
    Real z "0.3 = z^3 + z";
    Real s, t[3, 2], u, v, w;
    Integer n;
  equation
    der(x) = 0.5*sin(time) - cubic(x);
    0.3 + 0.1*sin(time) = cubic(z);
    s = smoothed(x, z);
    t = scale(a, x);
    n = count("banana", 97);
    u = norm(Box(3*x, 4*x, -1));
    v = apply(f, x);
    w = apply(g, x) + guarded(0.1*x);
  end All;

  model Fails
    Real y = guarded(time);
  end Fails;

  model Implicit "needs the derivative by differences"
    Real z(start = 0.1);
    Real x(start = 1, fixed = true);
  equation
    der(x) = -smoothed(x, 2);
    smoothed(z, 1) + z = 0.5 + 0.1*x;
  end Implicit;
end Foreign;
