model HeatRod "Heat equation on a rod by lines, three modes at the start"
  constant Real pi = 3.14159265358979323846;
  parameter Integer n = 20 "points";
  parameter Real k = n^2/pi^2;
  Real x[n](start = {cos(pi*(i - 0.5)/n) + 0.5*cos(3*pi*(i - 0.5)/n) + 0.25*cos(9*pi*(i - 0.5)/n) for i in 1:n},
            each fixed = true);
equation
  der(x[1]) = k*(x[2] - x[1]);
  for i in 2:n-1 loop
    der(x[i]) = k*(x[i-1] - 2*x[i] + x[i+1]);
  end for;
  der(x[n]) = k*(x[n-1] - x[n]);
  annotation(experiment(StopTime = 0.5, Interval = 0.01), Documentation(info = "u_t = u_xx / pi^2 with insulated ends and central differences of order 2."));
end HeatRod;
