model SquarePlate "Heat equation on a square plate by lines"
  constant Real pi = 3.14159265358979323846;
  parameter Integer n = 6 "points along a side";
  parameter Real k = n^2/pi^2;
  Real x[n, n](start = {{cos(pi*(i - 0.5)/n)*cos(2*pi*(j - 0.5)/n) + 0.25*cos(3*pi*(i - 0.5)/n) for j in 1:n} for i in 1:n},
               each fixed = true);
equation
  for i in 1:n loop
    for j in 1:n loop
      der(x[i, j]) = k*(x[max(i - 1, 1), j] + x[min(i + 1, n), j] + x[i, max(j - 1, 1)] + x[i, min(j + 1, n)] - 4*x[i, j]);
    end for;
  end for;
  annotation(experiment(StopTime = 0.5, Interval = 0.01), Documentation(info = "u_t = (u_xx + u_yy) / pi^2 with insulated edges and central differences of order 2."));
end SquarePlate;
