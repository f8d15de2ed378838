model RcNetwork "Gustafsson Eq. 68-75: source, three resistors, two capacitors; parameter values are ours (none printed)"
  parameter Real R1 = 1.0, R2 = 2.0, R3 = 3.0, C1 = 0.5, C2 = 0.25;
  Real E, VA, VB(start = 0.0, fixed = true), VC(start = 0.0, fixed = true);
  Real I1, I2, I3, I4, I5;
equation
  E = sin(time);
  E - VA = 0;
  VA - VB = R1*I1;
  C1*der(VB) = I4;
  VB - VC = R2*I2;
  C2*der(VC) = I5;
  VC = R3*I3;
  I1 - I4 - I2 = 0;
  I2 - I5 - I3 = 0;
  annotation(experiment(StopTime = 5), Documentation(info = "Gustafsson 2021, (68) to (75)."));
end RcNetwork;
