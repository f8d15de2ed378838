model CoupledPendulums "Gustafsson Eq. 109-112: two linearised pendulums coupled by a spring, m = 1"
  parameter Real g = 9.81, L = 1.0, k = 1.0;
  Real xA(start = 0.1, fixed = true), yA(start = 0.0, fixed = true);
  Real xB(start = 0.0, fixed = true), yB(start = 0.0, fixed = true);
equation
  der(xA) = yA;
  der(yA) = -g/L*xA - k*(xA - xB);
  der(xB) = yB;
  der(yB) = -g/L*xB + k*(xA - xB);
  annotation(experiment(StopTime = 10), Documentation(info = "Gustafsson 2021, (109) to (112)."));
end CoupledPendulums;
