model Builtins "functions of what is only known in the run, by value"
  Real x = time + 0.5 "0.5, 0.625 .. 1.5";
  Real n = -x;
  Integer i = integer(8*x + 0.5) "4 .. 12";
  Real v[3] = {x, 2*x, 3*x};
  Real y(start = 3, fixed = true) "falls by one, is lifted to 3 at 0.5";
  Real late = delay(x, 0.25);
  Real slope = der(x);
  Boolean high = x > 1.03;
  Boolean rose = edge(high);
  Boolean moved = change(i);
  discrete Real count(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true);
  function near "both are the same but for rounding"
    input Real a;
    input Real b;
    output Boolean yes = abs(a - b) <= 1e-12;
  algorithm
  end near;
equation
  der(y) = -1;
  when sample(0, 0.5) then
    count = pre(count) + 1;
  end when;
  when high then
    reinit(y, pre(y) + 2);
    last = time;
  end when;
  when terminal() then
    assert(near(count, 3), "sample ticks at 0, 0.5 and 1");
    assert(near(last, 0.625), "the edge is seen at the first point after it");
    assert(near(y, 4), "reinit lifts y by 2");
    assert(near(late, x - 0.25), "delay");
  end when;
  when initial() then
    assert(near(x, 0.5), "initial");
  end when;
  assert(near(slope, 1), "der");
  assert(rose == (high and not pre(high)), "edge");
  assert(not moved or i <> pre(i), "change");
  assert(near(abs(n), x) and near(abs(x), x), "abs");
  assert(sign(n) == -1 and sign(x) == 1 and sign(x - x) == 0, "sign");
  assert(near(sqrt(x)*sqrt(x), x), "sqrt");
  assert(near(8*x, i), "integer");
  assert(div(i, 4) == integer(i/4) and div(-i, 4) == -integer(i/4), "div");
  assert(mod(i, 5) == i - 5*div(i, 5), "mod");
  assert(mod(-i, 5) == (if mod(i, 5) == 0 then 0 else 5 - mod(i, 5)), "mod of less than 0");
  assert(rem(-i, 5) == -rem(i, 5) and rem(i, 5) == mod(i, 5), "rem");
  assert(ceil(x) == -floor(n) and (floor(x) == 0) == (x < 1), "ceil and floor");
  assert(near(sin(x), 2*sin(x/2)*cos(x/2)), "sin");
  assert(near(cos(x), 1 - 2*sin(x/2)^2), "cos");
  assert(near(tan(x/2)*cos(x/2), sin(x/2)), "tan");
  assert(near(sin(asin(x/2)), x/2), "asin");
  assert(near(cos(acos(x/2)), x/2), "acos");
  assert(near(tan(atan(x)), x), "atan");
  assert(near(atan2(x, n), 3*2*asin(1)/4), "atan2");
  assert(near(sinh(x), (exp(x) - exp(n))/2), "sinh");
  assert(near(cosh(x), (exp(x) + exp(n))/2), "cosh");
  assert(near(tanh(x), 1 - 2/(exp(2*x) + 1)), "tanh");
  assert(near(log(exp(x)), x) and near(exp(0*x), 1), "exp and log");
  assert(near(log10(10*x), 1 + log(x)/log(10)), "log10");
  assert(min(x, n) == n and min(n, x) == n and min(v) == x, "min");
  assert(max(x, n) == x and max(n, x) == x and max(v) == 3*x, "max");
  assert(near(sum(v), 6*x) and near(product(v), 6*x^3), "sum and product");
  assert(near(cross(v, {0, 1, 0})*{1, 0, 0}, -3*x), "cross");
  assert(near(skew(v)*{0, 1, 0}*{1, 0, 0}, -3*x), "skew");
  assert(near(semiLinear(n, 3, 5), 5*n) and near(semiLinear(x, 3, 5), 3*x), "semiLinear");
  assert(near(smooth(0, noEvent(if x > 1 then x else 1)), max(x, 1)), "smooth and noEvent");
  assert(homotopy(x, n) == x, "homotopy");
end Builtins;
