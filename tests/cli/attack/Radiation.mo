model Radiation "what a rod loses grows with the fourth power"
  parameter Real P = 10;
  parameter Real k = 1e-8;
  output Real y = T[4];
  Real T[4](each start = 300, each fixed = true);
equation
  5*der(T[1]) = P - 2*(T[1] - T[2]) - k*(T[1]^4 - 300^4);
  5*der(T[2]) = 2*(T[1] - T[2]) - 2*(T[2] - T[3]);
  5*der(T[3]) = 2*(T[2] - T[3]) - 2*(T[3] - T[4]);
  5*der(T[4]) = 2*(T[3] - T[4]) - k*(T[4]^4 - 300^4);
  annotation(experiment(StopTime = 60));
end Radiation;
