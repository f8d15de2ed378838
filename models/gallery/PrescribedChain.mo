model PrescribedChain "Linear Hessenberg index 3: x1 prescribed, x3 algebraic"
  Real x1(start = 1.0), x2(start = -1.0), x3(start = 1.0);
equation
  der(x1) = x2;
  der(x2) = x3;
  x1 = exp(-time);
  annotation(experiment(StopTime = 1), Documentation(info = "All three variables follow from the prescribed one by differentiation; the solution is exp(-t)."));
end PrescribedChain;
