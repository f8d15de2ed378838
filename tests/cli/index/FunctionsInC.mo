model FunctionsInC "Index 3, most of math.h in it, as C"
  pure function f
    input Real x[3];
    input Real dx[3];
    input Real t;
    output Real r[3];
  external "C" functions_f(x, dx, t, r)
    annotation(Include = "#include \"functions.c\"", IncludeDirectory = "modelica://FunctionsInC/c");
    annotation(smoothOrder = 9);
  end f;
  Real a, b, u;
equation
  zeros(3) = f({a, b, u}, {der(a), der(b), der(u)}, time);
end FunctionsInC;
