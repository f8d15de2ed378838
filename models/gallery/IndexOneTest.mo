model IndexOneTest "autonomous semi-explicit DAE of index 1 on which no leading error vanishes"
  Real x1(start = 1.0, fixed = true), x2(start = 0.4, fixed = true);
  Real y1(start = 0.8), y2(start = -0.3);
equation
  der(x1) = -x1*y1 + 0.5*x2^2 - 0.3*y2*x1;
  der(x2) = x1^2 - 0.7*y2*x2 + 0.2*sin(x1) - 0.4*y1^2;
  0 = y1 + 0.3*y1^3 - 0.9*x1*x2 - 0.2*y2^2 - 0.6*x1;
  0 = 1.2*y2 + 0.4*exp(0.3*y2) + 0.25*y1*x2 - 0.3*x1^2 + 0.1*x2;
  annotation(experiment(StopTime = 1, Interval = 0.01), Documentation(info = "For the orders of linearly implicit extrapolation (Schiela 2002, theorem 3.4)."));
end IndexOneTest;
