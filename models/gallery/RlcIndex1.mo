model RlcIndex1 "Cellier/Kofman circuit of Fig. 8.11 (Eq. 8.85): capacitor replaced by R3, algebraic loop"
  parameter Real R1 = 2.0, R2 = 3.0, R3 = 6.0, L = 0.5;
  Real u0, u1, u2, u3, uL;
  Real i0, i1, i2, i3, iL(start = 0.0, fixed = true);
equation
  u0 = sin(time);
  u1 = R1*i1;
  u2 = R2*i2;
  u3 = R3*i3;
  uL = L*der(iL);
  u0 = u1 + u3;
  uL = u1 + u2;
  u3 = u2;
  i0 = i1 + iL;
  i1 = i2 + i3;
  annotation(experiment(StopTime = 2), Documentation(info = "Cellier and Kofman, figure 8.11: an algebraic loop."));
end RlcIndex1;
