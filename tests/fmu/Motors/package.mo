package Motors "external C with sources, headers, objects, resources"
  pure function resource "what loadResource() of the standard library calls"
    input String uri;
    output String path;
  external "C" path = takt_load_resource(uri);
  end resource;

  pure function friction
    input Real w;
    output Real t;
  external "C" t = friction(w) annotation(Include = "#include \"friction.h\"", Library = "friction");
    annotation(derivative = friction_der);
  end friction;

  pure function friction_der
    input Real w;
    input Real dw;
    output Real dt;
  external "C" dt = friction_der(w, dw) annotation(Include = "#include \"friction.h\"", Library = "friction");
  end friction_der;

  class Curve "a table of a file"
    extends ExternalObject;
    function constructor
      input String path;
      output Curve curve;
    external "C" curve = curve_open(path) annotation(Include = "#include \"curve.h\"", Library = "curve");
    end constructor;
    function destructor
      input Curve curve;
    external "C" curve_close(curve) annotation(Include = "#include \"curve.h\"", Library = "curve");
    end destructor;
  end Curve;

  pure function look
    input Curve curve;
    input Real x;
    output Real y;
  external "C" y = curve_look(curve, x) annotation(Include = "#include \"curve.h\"", Library = "curve");
  end look;

  pure function largest "of a file in a folder"
    input String folder;
    input Real x;
    output Real y;
  external "C" y = curve_largest(folder, x) annotation(Include = "#include \"curve.h\"", Library = "curve");
  end largest;

  impure function count
    input Real x;
    output Real y;
  external "C" y = curve_count(x) annotation(Include = "#include \"curve.h\"", Library = "curve");
  end count;

  model Drive
    parameter Real J = 0.1;
    parameter Curve torque = Curve(
        resource("modelica://Motors/Resources/Data/torque.txt"));
    parameter String folder =
        resource("modelica://Motors/Resources/Data/more");
    input Real u(start = 1);
    output Real w(start = 0, fixed = true);
    output Real top = largest(folder, 1) + 0*w;
  equation
    J*der(w) = u*look(torque, time) - friction(w);
    annotation(experiment(StopTime = 1, Interval = 0.01));
  end Drive;

  model Small "the same sources, no files"
    output Real w(start = 3, fixed = true);
  equation
    der(w) = -friction(w);
    annotation(experiment(StopTime = 1, Interval = 0.01));
  end Small;

  model Counts
    discrete output Real n(start = 0, fixed = true);
  algorithm
    when sample(0, 0.1) then
      n := count(time);
    end when;
    annotation(experiment(StopTime = 1, Interval = 0.01));
  end Counts;
end Motors;
