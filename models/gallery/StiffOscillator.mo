model StiffOscillator "Gustafsson Eq. 39-40 with the matrix as implied by the text (eigenvalues -1 and -1000)"
  parameter Real m = 1.0, c = 1001.0, k = 1000.0;
  Real x(start = 1.0, fixed = true), y(start = 0.0, fixed = true);
equation
  der(x) = y;
  m*der(y) = -c*y - k*x;
  annotation(experiment(StopTime = 1), Documentation(info = "Gustafsson 2021, (39), (40): eigenvalues -1 and -1000."));
end StiffOscillator;
