model Whens "When clauses become equations"
  Real x(start = 0, fixed = true);
  discrete Real n(start = 0, fixed = true), m(start = 5, fixed = true);
  Boolean up;
equation
  der(x) = 1;
  up = x > 2;
  when {initial(), time > 3} then
    n = x;
  elsewhen up then
    n = pre(n) + 1;
  end when;
  when edge(up) then
    m = 2*pre(m);
    reinit(x, 0);
  end when;
end Whens;
