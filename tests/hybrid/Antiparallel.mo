// check: q 2 1.086777930446134
// grid: 0.01
model Antiparallel "two ideal thyristors, fired 1/8 after each zero of sin(2 pi t), 1 Ohm"
  Real u = sin(2*3.141592653589793*time);
  Real v, i1, i2, s1, s2, q(start = 0, fixed = true);
  Boolean off1(start = true, fixed = true), off2(start = true, fixed = true), fire;
equation
  fire = mod(time, 0.5) >= 0.125;
  off1 = s1 < 0 or pre(off1) and not fire;
  off2 = s2 < 0 or pre(off2) and not fire;
  v = s1*(if off1 then 1 else 1e-9);
  i1 = s1*(if off1 then 1e-9 else 1);
  -v = s2*(if off2 then 1 else 1e-9);
  i2 = s2*(if off2 then 1e-9 else 1);
  u = v + i1 - i2;
  der(q) = i1 + i2;
end Antiparallel;
