model RobertsonOde "Robertson autocatalytic reaction, ODE form, t up to 1e11"
  parameter Real k1 = 0.04, k2 = 3.0e7, k3 = 1.0e4;
  Real a(start = 1.0, fixed = true);
  Real b(start = 0.0, fixed = true);
  Real c(start = 0.0, fixed = true);
equation
  der(a) = k3*b*c - k1*a;
  der(b) = k1*a - k3*b*c - k2*b^2;
  der(c) = k2*b^2;
  annotation(experiment(StopTime = 1e11), Documentation(info = "Test Set for Initial Value Problem Solvers, rober."));
end RobertsonOde;
