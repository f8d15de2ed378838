model Recursive
  function fib
    input Integer n; output Integer y;
  algorithm
    y := if n < 2 then n else fib(n - 1) + fib(n - 2);
  end fib;
  function rev
    input Real v[:]; output Real w[size(v, 1)];
  algorithm
    if size(v, 1) > 1 then
      w := cat(1, {v[end]}, rev(v[1:end - 1]));
    else
      w := v;
    end if;
  end rev;
  function power
    input Real x; input Integer n; output Real y;
  algorithm
    if n == 0 then y := 1; return; end if;
    y := power(x, div(n, 2))^2*(if mod(n, 2) == 1 then x else 1);
  end power;
  parameter Integer N = 12;
  Integer f = fib(N);
  Real r[4] = rev({time, 2, 3, 4});
  Real p = power(1 + time, 10);
equation
  assert(time < 0.999 or abs(f - (144)) < 2e-6*(1 + abs(144)), "f");
  assert(time < 0.999 or abs(r[1] - (4)) < 2e-6*(1 + abs(4)), "r[1]");
  assert(time < 0.999 or abs(r[4] - (1)) < 2e-6*(1 + abs(1)), "r[4]");
  assert(time < 0.999 or abs(p - (1024)) < 2e-6*(1 + abs(1024)), "p");
end Recursive;
