model Heat500 "a rod of 500 volumes between two temperatures"
  parameter Integer n = 500;
  parameter Real diffusivity = 1e-3, length = 1, left = 400, right = 300;
  parameter Real rate = diffusivity*(n/length)^2;
  Real T[n](each start = 300, each fixed = true);
equation
  der(T[1]) = rate*(2*(left - T[1]) + T[2] - T[1]);
  for i in 2:n - 1 loop
    der(T[i]) = rate*(T[i - 1] - 2*T[i] + T[i + 1]);
  end for;
  der(T[n]) = rate*(T[n - 1] - T[n] + 2*(right - T[n]));
  annotation (experiment(StopTime = 1, Interval = 0.001));
end Heat500;
