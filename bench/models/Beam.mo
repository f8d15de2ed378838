model Beam "an elastic beam, clamped at one end, pushed at the other until t = pi"
  parameter Integer n = 8 "pieces";
  constant Real pi = 3.141592653589793;
  Real th[n](each start = 0, each fixed = true) "angles";
  Real w[n](each start = 0, each fixed = true);
  Real T[n + 2] "with both ends";
  Real phi;
equation
  phi = if time <= pi then 1.5*sin(time)^2 else 0;
  T = cat(1, {-th[1]}, th, {th[n]});
  der(th) = w;
  for l in 1:n loop
    sum((n + 0.5 - max(l, k))*cos(th[l] - th[k])*der(w[k]) for k in 1:n) =
      n^4*(T[l] - 2*th[l] + T[l + 2]) + n^2*phi*(cos(th[l]) + sin(th[l])) -
      sum((n + 0.5 - max(l, k))*sin(th[l] - th[k])*w[k]^2 for k in 1:n);
  end for;
  annotation(experiment(StopTime = 5), Documentation(info = "Hairer and Wanner, Solving Ordinary Differential Equations II, IV.1, BEAM, with fewer pieces."));
end Beam;
