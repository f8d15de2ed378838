model Defaults
  function f
    input Real a; input Real b = 2*a; input Real c = a + b; input Real d[:] = {a, b, c}; output Real y; output Integer n = size(d, 1);
  algorithm
    y := a + 10*b + 100*c + 1000*sum(d);
  end f;
  Real y1 = f(time), y2 = f(time, c = 1), y3 = f(b = 1, a = 2), y4, y5; Integer n4;
equation
  (y4, n4) = f(1, d = {1, 2, 3, 4});
  y5 = f(1, 1, 1, fill(0, 0));
equation
  assert(time < 0.999 or abs(y1 - (6321)) < 2e-6*(1 + abs(6321)), "y1");
  assert(time < 0.999 or abs(y2 - (4121)) < 2e-6*(1 + abs(4121)), "y2");
  assert(time < 0.999 or abs(y3 - (6312)) < 2e-6*(1 + abs(6312)), "y3");
  assert(time < 0.999 or abs(y4 - (10321)) < 2e-6*(1 + abs(10321)), "y4");
  assert(time < 0.999 or abs(n4 - (4)) < 2e-6*(1 + abs(4)), "n4");
  assert(time < 0.999 or abs(y5 - (111)) < 2e-6*(1 + abs(111)), "y5");
end Defaults;
