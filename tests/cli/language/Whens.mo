model Whens
  Real x(start = 0, fixed = true); discrete Real a(start = 0), b(start = 0); Integer n(start = 0, fixed = true), k(start = 0);
  Boolean c = time >= 0.3, d = time >= 0.6; discrete Real xr(start=-1);
equation
  der(x) = 1;
  when {c, d} then
    a = x; n = pre(n) + 1;
  end when;
  when d then
    b = 1;
  elsewhen c then
    b = 2;
  elsewhen time > 0.8 then
    b = pre(b) + 10;
  end when;
  when n >= 2 then
    reinit(x, 5);
    xr = pre(x);
  end when;
algorithm
  when sample(0.1, 0.2) then
    k := pre(k) + 1;
  end when;
equation
  assert(time < 0.999 or abs(a - (0.59999999999999998)) < 2e-6*(1 + abs(0.59999999999999998)), "a");
  assert(time < 0.999 or abs(n - (2)) < 2e-6*(1 + abs(2)), "n");
  assert(time < 0.999 or abs(b - (11)) < 2e-6*(1 + abs(11)), "b");
  assert(time < 0.999 or abs(x - (5.4000000000000004)) < 2e-6*(1 + abs(5.4000000000000004)), "x");
  assert(time < 0.999 or abs(k - (5)) < 2e-6*(1 + abs(5)), "k");
  assert(time < 0.999 or abs(xr - (0.59999999999999998)) < 2e-6*(1 + abs(0.59999999999999998)), "xr");
end Whens;
