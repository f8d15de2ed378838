model RobertsonDae "Robertson reaction, mass conservation replaces the third rate equation (index 1)"
  parameter Real k1 = 0.04, k2 = 3.0e7, k3 = 1.0e4;
  Real a(start = 1.0, fixed = true);
  Real b(start = 0.0, fixed = true);
  Real c(start = 0.0);
equation
  der(a) = k3*b*c - k1*a;
  der(b) = k1*a - k3*b*c - k2*b^2;
  a + b + c = 1;
  annotation(experiment(StopTime = 1e11), Documentation(info = "Test Set for Initial Value Problem Solvers, rober, with conservation of mass as an algebraic equation."));
end RobertsonDae;
