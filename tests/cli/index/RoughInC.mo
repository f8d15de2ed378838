model RoughInC "A function whose source prints: it has no series"
  pure function f
    input Real x;
    output Real y;
  external "C" y = rough(x)
    annotation(Include = "#include <stdio.h>
      static double rough(double x) { float y = x; fprintf(stderr, \"\"); return 2*y; }");
    annotation(smoothOrder = 2);
  end f;
  Real a, b;
equation
  f(a) = sin(time);
  der(a) = b;
end RoughInC;
