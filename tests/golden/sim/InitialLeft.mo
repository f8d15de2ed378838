model InitialLeft "initial() on the left of equations: x is 5, y is 7 at first"
  Real x(start = 1) "not its start value";
  Real y;
  Real z(start = 1) "nor this";
  Real w;
equation
  der(x) = 1;
  der(z) = 1;
  der(w) = 1;
  (if initial() then x - 5 else y - x) = 0;
  when initial() then
    assert(x == 5 and y == 7 and z == 3 and w == 0, "only w has its start");
  end when;
  when terminal() then
    assert(abs(x - 6) < 1e-12 and abs(y - 6) < 1e-12, "then y is x");
  end when;
initial equation
  y = 7;
  (if initial() then z - 3 else w) = 0;
end InitialLeft;
