model Initial
  parameter Real p(fixed = false, start = 1); Real x(start = 3), y(start = 1, fixed = true); Integer q(start = 0); discrete Real d; Real w;
  parameter Integer np(fixed = false);
initial algorithm
  q := 4;
  for i in 1:3 loop
    q := q + i;
  end for;
  np := 2*q;
initial equation
  der(x) = 0; p^2 = 9; d = p + y;
equation
  der(x) = -x + p + 0*time; der(y) = 0;
  when time > 10 then q = pre(q); d = pre(d); end when;
  w = x + np;
equation
  assert(time < 0.999 or abs(p - (3)) < 2e-6*(1 + abs(3)), "p");
  assert(time < 0.999 or abs(x - (3)) < 2e-6*(1 + abs(3)), "x");
  assert(time < 0.999 or abs(q - (10)) < 2e-6*(1 + abs(10)), "q");
  assert(time < 0.999 or abs(d - (4)) < 2e-6*(1 + abs(4)), "d");
  assert(time < 0.999 or abs(np - (20)) < 2e-6*(1 + abs(20)), "np");
  assert(time < 0.999 or abs(w - (23)) < 2e-6*(1 + abs(23)), "w");
end Initial;
