model M
  Real x(start = 1, fixed = true);
  discrete Real d(start = 0);
  Integer n(start = 0);
equation
  der(x) = -x;
  when {x < 0.5, sample(0, 0.1)} then
    d = x;
    n = pre(n) + 1;
    if n > 3 then
      reinit(x, 1);
    end if;
  elsewhen time > 2 then
    d = 0;
    n = 0;
  end when;
end M;
