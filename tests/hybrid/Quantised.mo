// check: s 1.65 9.3
// grid: 0.01
// seen: 0.01
model Quantised "a converter of few bits: what it would say between two samples makes no event"
  Real x(start = 0, fixed = true), s(start = 0, fixed = true);
  discrete Integer n(start = 0, fixed = true);
equation
  der(x) = 10*cos(3*time);
  der(s) = n;
  when sample(0.1, 0.1) then
    n = if x > 3.5 then 30 else integer(10*x);
  end when;
end Quantised;
