model LadderFree "LadderPairs without the constraints: what is left says nothing of c"
  parameter Integer n = 100, m = 20;
  Real x[n](each start = 0, each fixed = true);
  Real a[m](each start = 0), c[m];
equation
  der(x[1]) = sin(time) - 2*x[1] + x[2];
  for i in 2:n - 1 loop
    der(x[i]) = x[i - 1] - 2*x[i] + x[i + 1];
  end for;
  der(x[n]) = x[n - 1] - 2*x[n];
  for i in 1:m loop
    der(a[i]) - c[i] = x[i];
    (2 + sin(time + 0.1*i))*(der(a[i]) - c[i] - x[i]) = 0;
  end for;
  annotation(experiment(StopTime = 1));
end LadderFree;
