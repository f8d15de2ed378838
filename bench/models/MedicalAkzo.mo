model MedicalAkzo "antibodies go into tissue with a tumour, by lines; what comes in stops at t = 5"
  parameter Integer n = 30 "points";
  parameter Real k = 100, c = 4;
  Real u[n](each start = 0, each fixed = true);
  Real v[n](each start = 1, each fixed = true);
  Real U[n + 2] "with both ends";
  Real phi;
protected
  parameter Real z[n] = {i/n - 1 for i in 1:n};
equation
  phi = if time <= 5 then 2 else 0;
  U = cat(1, {phi}, u, {u[n]});
  for i in 1:n loop
    der(u[i]) = 2*z[i]^3/c^2*(U[i + 2] - U[i])*n/2 + z[i]^4/c^2*(U[i] - 2*u[i] + U[i + 2])*n^2 - k*u[i]*v[i];
    der(v[i]) = -k*u[i]*v[i];
  end for;
  annotation(experiment(StopTime = 20), Documentation(info = "Test Set for Initial Value Problem Solvers, Medical Akzo Nobel problem, with fewer points."));
end MedicalAkzo;
