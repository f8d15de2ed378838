model Aliases "What simplification removes, and how it comes back"
  constant Real two = 2;
  parameter Real p = 3;
  final parameter Real q = 4;
  parameter Real r = p*two;
  Real a(start = 1, fixed = true), b, c, d, e;
  Real known, dependent;
  Boolean on, off, always;
equation
  der(a) = -r*b;
  b = a;
  c = -b;
  d + c = 0;
  e = q*d;
  known = two + 1;
  dependent = known*p;
  on = a > 0.5;
  off = not on;
  always = true;
end Aliases;
