model LadderReduced "LadderPairs with its constraints written out"
  parameter Integer n = 70, m = 20;
  Real x[n](each start = 0, each fixed = true);
  Real a[m], b[m](each start = 0, each fixed = true), c[m];
equation
  der(x[1]) = sin(time) - 2*x[1] + x[2];
  for i in 2:n - 1 loop
    der(x[i]) = x[i - 1] - 2*x[i] + x[i + 1];
  end for;
  der(x[n]) = x[n - 1] - 2*x[n];
  for i in 1:m loop
    der(a[i]) + b[i] - c[i] = x[i];
    der(b[i]) + a[i] = exp(-time) + 0.1*x[i + 1];
    a[i] = b[i] + cos(time);
  end for;
  annotation(experiment(StopTime = 1));
end LadderReduced;
