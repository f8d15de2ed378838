model WaveString "Wave equation on a string by lines: nothing damps it"
  constant Real pi = 3.14159265358979323846;
  parameter Integer n = 20 "points between the ends";
  parameter Real k = (n + 1)^2;
  Real u[n](start = {sin(pi*i/(n + 1)) for i in 1:n}, each fixed = true);
  Real v[n](each start = 0, each fixed = true);
  Real energy;
equation
  der(u) = v;
  der(v[1]) = k*(u[2] - 2*u[1]);
  for i in 2:n-1 loop
    der(v[i]) = k*(u[i-1] - 2*u[i] + u[i+1]);
  end for;
  der(v[n]) = k*(u[n-1] - 2*u[n]);
  energy = (v*v + k*(u[1]^2 + u[n]^2 + sum((u[i+1] - u[i])^2 for i in 1:n-1)))/(2*(n + 1));
  annotation(experiment(StopTime = 4, Interval = 0.01), Documentation(info = "u_tt = u_xx, u = 0 at both ends; the first mode has the frequency 2 (n + 1) sin(pi / (2 (n + 1))), and the energy stays what it is."));
end WaveString;
