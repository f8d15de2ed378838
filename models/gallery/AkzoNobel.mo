model AkzoNobel "Chemical Akzo Nobel problem, index-1 DAE with 6 unknowns plus rates"
  parameter Real k1 = 18.7, k2 = 0.58, k3 = 0.09, k4 = 0.42;
  parameter Real Keq = 34.4, klA = 3.3, Ks = 115.83, pCO2 = 0.9, Hen = 737.0;
  Real c1(start = 0.444, fixed = true);
  Real c2(start = 0.00123, fixed = true);
  Real c3(start = 0.0, fixed = true);
  Real c4(start = 0.007, fixed = true);
  Real c5(start = 0.0, fixed = true);
  Real c6(start = 0.35999964);
  Real r1, r2, r3, r4, r5, feed;
equation
  r1 = k1*c1^4*sqrt(c2);
  r2 = k2*c3*c4;
  r3 = k2/Keq*c1*c5;
  r4 = k3*c1*c4^2;
  r5 = k4*c6^2*sqrt(c2);
  feed = klA*(pCO2/Hen - c2);
  der(c1) = r2 - r3 - r4 - 2*r1;
  der(c2) = feed - 0.5*r1 - r4 - 0.5*r5;
  der(c3) = r1 - r2 + r3;
  der(c4) = r3 - r2 - 2*r4;
  der(c5) = r2 - r3 + r5;
  Ks*c1*c4 = c6;
  annotation(experiment(StopTime = 180), Documentation(info = "Test Set for Initial Value Problem Solvers, chemakzo."));
end AkzoNobel;
