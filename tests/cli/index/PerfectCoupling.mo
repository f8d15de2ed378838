model PerfectCoupling "Windings without stray flux by the values of three parameters: M^2 = L1 L2"
  parameter Real L1 = 1, L2 = 4, M = 2;
  Real i1, i2, phi1(start = 0, fixed = true), phi2;
equation
  phi1 = L1*i1 + M*i2;
  phi2 = M*i1 + L2*i2;
  der(phi1) = sin(3*time) - i1;
  der(phi2) = -i2;
  annotation(experiment(StopTime = 1));
end PerfectCoupling;
