// what: a solution that comes as near to a fold as 1e-3 and lives on
// watch: y = 2*cos((acos(0.9995*sin(t)) + 2*M_PI)/3)
// says: unsolved
model NearFold
  Real x(start = 0, fixed = true);
  output Real y(start = -1.7);
equation
  der(x) = 1;
  y^3 - 3*y = 1.999*sin(x);
  annotation(experiment(StopTime = 6, Interval = 0.01));
end NearFold;
