model VanDerPol "van der Pol oscillator, mu = 1000"
  parameter Real mu = 1000.0;
  Real x(start = 2.0, fixed = true);
  Real v(start = 0.0, fixed = true);
equation
  der(x) = v;
  der(v) = mu*(1 - x^2)*v - x;
  annotation(experiment(StopTime = 2000), Documentation(info = "Test Set for Initial Value Problem Solvers, vdpol, without scaling."));
end VanDerPol;
