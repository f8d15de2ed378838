model RlcIndex2 "Cellier/Kofman circuit of Fig. 8.15 (Eq. 8.88): capacitor across the source, structural index 2"
  parameter Real R1 = 2.0, R2 = 3.0, L = 0.5, C = 0.1;
  Real u0, u1, u2, uL, uC(start = 0.0);
  Real i0, i1, i2, iC, iL(start = 0.0, fixed = true);
equation
  u0 = sin(time);
  u1 = R1*i1;
  u2 = R2*i2;
  uL = L*der(iL);
  iC = C*der(uC);
  u0 = u1 + uL;
  uC = u1 + u2;
  uL = u2;
  i0 = i1 + iC;
  i1 = i2 + iL;
  annotation(experiment(StopTime = 2), Documentation(info = "Cellier and Kofman, figure 8.15: the source determines the voltage of the capacitor."));
end RlcIndex2;
