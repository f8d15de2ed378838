model RlcIndex0 "Cellier/Kofman circuit of Fig. 8.7 (Eq. 8.81 without the inlined integrators)"
  parameter Real R1 = 2.0, R2 = 3.0, L = 0.5, C = 0.1;
  Real u0, u1, u2, uL, uC(start = 0.0, fixed = true);
  Real i0, i1, i2, iC, iL(start = 0.0, fixed = true);
equation
  u0 = sin(time);
  u1 = R1*i1;
  u2 = R2*i2;
  uL = L*der(iL);
  iC = C*der(uC);
  u0 = u1 + uC;
  uL = u1 + u2;
  uC = u2;
  i0 = i1 + iL;
  i1 = i2 + iC;
  annotation(experiment(StopTime = 2), Documentation(info = "Cellier and Kofman, figure 8.7: neither a loop nor a constraint."));
end RlcIndex0;
