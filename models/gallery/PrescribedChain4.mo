model PrescribedChain4 "Nonlinear chain of 3 integrators with the first one prescribed: Hessenberg index 4"
  Real x1(start = 0);
  Real x2(start = 1);
  Real x3(start = -0.18414709848078964);
  Real u(start = -0.9762861650510074) "control, needs 3 differentiations of the constraint";
equation
  der(x1) = x2 + 0.1*sin(x1);
  der(x2) = x3 + 0.1*sin(x2);
  der(x3) = (1 + 0.1*x1^2)*u + 0.1*sin(x3);
  x1 = sin(time);
  annotation(experiment(StopTime = 1), Documentation(info = "A nonlinear chain of three integrators whose output is prescribed: index 4."));
end PrescribedChain4;
