// what: a relaxation oscillation whose jumps are shorter than a step
// parts: 500
// ode: x[0]=2, x[1]=0; d[0]=x[1]; d[1]=20*(1-x[0]*x[0])*x[1]-x[0]
// watch: x = x[0]
// says: unsolved unbounded error
model Relaxation
  output Real x(start = 2, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = 20*(1 - x^2)*v - x;
  annotation(experiment(StopTime = 60, Interval = 0.05));
end Relaxation;
