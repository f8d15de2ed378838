// check: n 1 4
// grid: 1e-09
model Cascade "each event makes the next one, at the same time"
  Real x(start = 0, fixed = true);
  Boolean a(start = false, fixed = true), b(start = false, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 2;
  when x > 1 then
    a = true;
  end when;
  when pre(a) then
    b = true;
  end when;
  when {a, pre(b)} then
    n = pre(n) + 2;
  end when;
end Cascade;
