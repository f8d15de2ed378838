// takt: tune --step 0.01 --stop 0.5 --deviation 25 --json -o /dev/null --html /dev/null
// tolerance: 1e-4
model Chain "fast and slow parts, weakly coupled; a saturated input"
  parameter Real k[5] = {1, 20, 3, 400, 0.5};
  Real x[5](start = {1, 0, 0.5, 0, 2}, each fixed = true);
  output Real y = x[1] + 0.1*x[4];
  Real u = if time > 0.1 then 1 else min(20*time, 0.8);
equation
  der(x[1]) = -k[1]*x[1] + 0.3*x[2] + u;
  der(x[2]) = -k[2]*x[2] + 5*x[1] - 0.001*x[5]^2;
  der(x[3]) = -k[3]*x[3] + sin(x[2]);
  der(x[4]) = -k[4]*(x[4] - x[3]*x[1]);
  der(x[5]) = -k[5]*x[5] + 0.01*x[4];
end Chain;
