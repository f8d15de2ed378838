// takt: sim --stop 1
model FlatStart "square laws that begin where their slope is 0"
  Real q(start = 0), r(start = 0), s(start = 0), m(start = 0);
equation
  1 + time = 2*q^2*(if noEvent(q > 0) then 2 else -1);
  -4 - time = 0.5*r^2*(if noEvent(r > 0) then 3 else -2);
  s + m = 3*time + 6;
  s*abs(s) = 4*m*abs(m);
  when {initial(), terminal()} then
    assert(abs(q - sqrt((1 + time)/4)) < 1e-9, "above");
    assert(abs(r + sqrt(4 + time)) < 1e-9, "below");
    assert(abs(s - 2*m) < 1e-9 and abs(m - 2 - time) < 1e-9, "two unknowns");
  end when;
end FlatStart;
