// check: n 2.5 3
// grid: 1e-09
model Counter "rises of sin(2 pi t) above 1/2"
  Real x;
  Integer n(start = 0, fixed = true);
equation
  x = sin(2*3.141592653589793*time);
  when x > 0.5 then
    n = pre(n) + 1;
  end when;
end Counter;
