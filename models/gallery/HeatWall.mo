model HeatWall "1D heat equation, 50 finite-volume segments, explicit ODE"
  parameter Integer n = 50;
  parameter Real L = 1.0, a = 1e-2 "diffusivity";
  parameter Real TL = 400, TR = 300;
  final parameter Real dx = L/n;
  final parameter Real k = a/(dx*dx);
  Real T[n](each start = 300, each fixed = true);
equation
  der(T[1]) = k*(2*(TL - T[1]) + (T[2] - T[1]));
  for i in 2:n-1 loop
    der(T[i]) = k*(T[i-1] - 2*T[i] + T[i+1]);
  end for;
  der(T[n]) = k*((T[n-1] - T[n]) + 2*(TR - T[n]));
  annotation(experiment(StopTime = 1, Interval = 0.001), Documentation(info = "Finite volumes of second order between two walls of constant temperature."));
end HeatWall;
