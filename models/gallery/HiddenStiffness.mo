model HiddenStiffness "Schiela thesis Eq. 4.1: tiny algebraic coupling replaces alpha by gamma in the underlying ODE"
  parameter Real alpha = -1.0, beta = -2.0, gam = -100.0, eps = 1.0e-6;
  Real x1(start = 1.0, fixed = true), x2(start = 1.0, fixed = true), x3(start = -99.0e6);
equation
  der(x1) = alpha*x1 + eps*x3;
  der(x2) = beta*x2;
  0 = eps*x1 + eps^2/(alpha - gam)*x3;
  annotation(experiment(StopTime = 0.05), Documentation(info = "Schiela 2002, (4.1): a coupling of 1e-6 that must not be dropped."));
end HiddenStiffness;
