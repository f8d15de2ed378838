model HiddenConstraint "Time-varying rows hide a constraint: index 2, structure sees 1"
  Real a(start = 1), b(start = 0, fixed = true), c;
equation
  der(a) + b - c = 0;
  der(b) + a = exp(-time);
  (2 + sin(time))*(der(a) + b - c) + a - b = cos(time);
  annotation(experiment(StopTime = 1));
end HiddenConstraint;
