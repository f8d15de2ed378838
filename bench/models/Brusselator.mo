model Brusselator "a reaction with diffusion, by lines"
  parameter Integer n = 20 "points within";
  parameter Real alpha = 1/50;
  Real u[n], v[n];
  Real U[n + 2], V[n + 2] "with both ends";
initial equation
  for i in 1:n loop
    u[i] = 1 + sin(2*3.141592653589793*i/(n + 1));
    v[i] = 3;
  end for;
equation
  U = cat(1, {1}, u, {1});
  V = cat(1, {3}, v, {3});
  for i in 1:n loop
    der(u[i]) = 1 + u[i]^2*v[i] - 4*u[i] + alpha*(n + 1)^2*(U[i] - 2*u[i] + U[i + 2]);
    der(v[i]) = 3*u[i] - u[i]^2*v[i] + alpha*(n + 1)^2*(V[i] - 2*v[i] + V[i + 2]);
  end for;
  annotation(experiment(StopTime = 10), Documentation(info = "Hairer and Wanner, Solving Ordinary Differential Equations II, IV.10, BRUSS."));
end Brusselator;
