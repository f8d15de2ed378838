// what: a flame: nothing for long, then ignition, then stiff
// parts: 2000
// ode: x[0]=0.01; d[0]=x[0]*x[0]-x[0]*x[0]*x[0]
// watch: y = x[0]
// says: unsolved error stability
model Flame
  output Real y(start = 0.01, fixed = true);
equation
  der(y) = y^2 - y^3;
  annotation(experiment(StopTime = 200, Interval = 1));
end Flame;
