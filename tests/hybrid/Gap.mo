// check: x 2.5 0.5
// grid: 0.02
model Gap "a spring of pi^2 at 1: half a period of 1, and back with -1"
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = if x > 1 then -9.869604401089358*(x - 1) else 0;
end Gap;
