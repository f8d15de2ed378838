// what: a limit cycle in fifteen steps
// parts: 5000
// ode: x[0]=1.5, x[1]=3; d[0]=1+x[0]*x[0]*x[1]-4*x[0]; d[1]=3*x[0]-x[0]*x[0]*x[1]
// watch: x = x[0]
// says: unsolved unbounded error
model Brusselator
  output Real x(start = 1.5, fixed = true), y(start = 3, fixed = true);
equation
  der(x) = 1 + x^2*y - 4*x;
  der(y) = 3*x - x^2*y;
  annotation(experiment(StopTime = 30, Interval = 0.5));
end Brusselator;
