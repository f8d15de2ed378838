// takt: check --keep-aliases --method be --step 0.01 --dump=schedule
// tolerance: 1e-9
// (8.85): 11 equations, 5 assignments, 1 iteration variable
model CircuitIndex1
  parameter Real R1 = 2, R2 = 3, R3 = 0.1, L = 0.5;
  Real u0, u1, u2, uL, u3(start = 0);
  Real i0, i1, i2, i3, iL(start = 0, fixed = true);
equation
  u0 = sin(time);
  u1 = R1*i1;
  u2 = R2*i2;
  uL = L*der(iL);
  u3 = R3*i3;
  u0 = u1 + u3;
  uL = u1 + u2;
  u3 = u2;
  i0 = i1 + iL;
  i1 = i2 + i3;
end CircuitIndex1;
