// takt: check --direct --keep-aliases --method be --step 0.01 --dump=schedule
// tolerance: 1e-9
// (8.88), index 2, not reduced: one division by h
model CircuitDirect
  parameter Real R1 = 2, R2 = 3, C = 0.1, L = 0.5;
  Real u0, u1, u2, uL, u3(start = 0);
  Real i0, i1, i2, i3, iL(start = 0, fixed = true);
equation
  u0 = sin(time);
  u1 = R1*i1;
  u2 = R2*i2;
  uL = L*der(iL);
  i3 = C*der(u3);
  u0 = u1 + uL;
  u3 = u1 + u2;
  uL = u2;
  i0 = i1 + i3;
  i1 = i2 + iL;
end CircuitDirect;
