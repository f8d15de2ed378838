model HeatDiffusion "1D heat diffusion, 50 segments, Eq. 8.112 of Cellier/Kofman; exact PDE solution exp(-t/10)*cos(pi*x)"
  constant Real pi = 3.14159265358979323846264338327950288;
  parameter Integer n = 50;
  parameter Real k = n^2/(120*pi^2);
  Real x[50](start = {cos(pi*i/n) for i in 1:50}, each fixed = true);
  Real u "left boundary temperature";
equation
  u = exp(-time/10);
  der(x[1]) = k*(10*u - 15*x[1] - 4*x[2] + 14*x[3] - 6*x[4] + x[5]);
  der(x[2]) = k*(-u + 16*x[1] - 30*x[2] + 16*x[3] - x[4]);
  for i in 3:n-2 loop
    der(x[i]) = k*(-x[i-2] + 16*x[i-1] - 30*x[i] + 16*x[i+1] - x[i+2]);
  end for;
  der(x[n-1]) = k*(-x[n-3] + 16*x[n-2] - 31*x[n-1] + 16*x[n]);
  der(x[n]) = k*(-2*x[n-2] + 32*x[n-1] - 30*x[n]);
  annotation(experiment(StopTime = 10), Documentation(info = "Cellier and Kofman, Continuous System Simulation, (8.112): fourth-order differences in space."));
end HeatDiffusion;
