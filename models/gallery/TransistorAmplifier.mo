model TransistorAmplifier "Two-stage transistor amplifier, nodal form with singular constant mass matrix (index 1)"
  constant Real pi = 3.14159265358979323846264338327950288;
  parameter Real Ub = 6.0, Uf = 0.026, alpha = 0.99, beta = 1.0e-6;
  parameter Real R0 = 1000.0, R = 9000.0;
  parameter Real C1 = 1.0e-6, C2 = 2.0e-6, C3 = 3.0e-6, C4 = 4.0e-6, C5 = 5.0e-6;
  Real e[8](start = {0.0, 3.0, 3.0, 6.0, 3.0, 3.0, 6.0, 0.0},
    fixed = {false, true, true, false, true, true, true, false}) "node voltages";
  Real src, g1, g2;
equation
  src = 0.1*sin(200*pi*time);
  g1 = beta*(exp((e[2] - e[3])/Uf) - 1);
  g2 = beta*(exp((e[5] - e[6])/Uf) - 1);
  C1*(der(e[2]) - der(e[1])) = (e[1] - src)/R0;
  C1*(der(e[1]) - der(e[2])) = e[2]/R + (e[2] - Ub)/R + (1 - alpha)*g1;
  -C2*der(e[3]) = e[3]/R - g1;
  C3*(der(e[5]) - der(e[4])) = (e[4] - Ub)/R + alpha*g1;
  C3*(der(e[4]) - der(e[5])) = e[5]/R + (e[5] - Ub)/R + (1 - alpha)*g2;
  -C4*der(e[6]) = e[6]/R - g2;
  C5*(der(e[8]) - der(e[7])) = (e[7] - Ub)/R + alpha*g2;
  C5*(der(e[7]) - der(e[8])) = e[8]/R;
  annotation(experiment(StopTime = 0.2), Documentation(info = "Test Set for Initial Value Problem Solvers, transamp: structure sees 8 degrees of freedom where there are 5."));
end TransistorAmplifier;
