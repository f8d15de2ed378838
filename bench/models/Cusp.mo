model Cusp "threshold, nerve impulse and diffusion on a ring of reactions"
  parameter Integer n = 16 "points";
  parameter Real eps = 1e-4, D = n^2/144;
  Real y[n](each start = 0, each fixed = true), a[n], b[n], v[n];
initial equation
  for i in 1:n loop
    a[i] = -2*cos(2*3.141592653589793*i/n);
    b[i] = 2*sin(2*3.141592653589793*i/n);
  end for;
equation
  for i in 1:n loop
    v[i] = (y[i] - 0.7)*(y[i] - 1.3)/((y[i] - 0.7)*(y[i] - 1.3) + 0.1);
    der(y[i]) = -(y[i]^3 + a[i]*y[i] + b[i])/eps + D*(y[if i == 1 then n else i - 1] - 2*y[i] + y[if i == n then 1 else i + 1]);
    der(a[i]) = b[i] + 0.07*v[i] + D*(a[if i == 1 then n else i - 1] - 2*a[i] + a[if i == n then 1 else i + 1]);
    der(b[i]) = (1 - a[i]^2)*b[i] - a[i] - 0.4*y[i] + 0.035*v[i] + D*(b[if i == 1 then n else i - 1] - 2*b[i] + b[if i == n then 1 else i + 1]);
  end for;
  annotation(experiment(StopTime = 1.1), Documentation(info = "Hairer and Wanner, Solving Ordinary Differential Equations II, IV.10, CUSP, with fewer points."));
end Cusp;
