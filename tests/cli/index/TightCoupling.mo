model TightCoupling "Two windings without stray flux whose inductance follows the air gap"
  parameter Real R = 1, n = 2;
  Real i1(start = 0), i2(start = 0), L, phi1, phi2, v;
equation
  v = sin(3*time);
  L = 1 + 0.3*sin(time);
  phi1 = L*(i1 + n*i2);
  phi2 = n*L*(i1 + n*i2);
  der(phi1) = v - R*i1;
  der(phi2) = -R*i2;
  annotation(experiment(StopTime = 2));
end TightCoupling;
