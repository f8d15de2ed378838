// exit: 0
// takt: check --flat
model M
  Real v(unit = "V");
  Real i(unit = "A");
  parameter Real R(unit = "Ohm") = 2;
  Real p(unit = "W");
equation
  v = time;
  i = v*R;
  p = v*v/R + i;
end M;
