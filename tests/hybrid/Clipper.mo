// check: e 1 0.8568978196286432
// grid: 0.01
model Clipper "3 sin(2 pi t) over 1 Ohm, two ideal diodes to 1 and -1 V"
  Real u = 3*sin(2*3.141592653589793*time), v, i1, i2, s1, s2, e(start = 0, fixed = true);
equation
  v - 1 = s1*(if s1 < 0 then 1 else 0);
  i1 = s1*(if s1 < 0 then 0 else 1);
  -1 - v = s2*(if s2 < 0 then 1 else 0);
  i2 = s2*(if s2 < 0 then 0 else 1);
  u = v + i1 - i2;
  der(e) = v^2;
end Clipper;
