// what: 0/0 at a point of the grid, where the solution is smooth
// watch: x = t - 1
// ode: x[0]=0; d[0]=fabs(t-1)<1e-9?1:sin(t-1)/(t-1)
// watch: s = x[0]
// says: unbounded unsolved error
// methods: radau5
model GridHole
  output Real x(start = -1, fixed = true);
  output Real s(start = 0, fixed = true);
equation
  der(x) = 1;
  der(s) = sin(x)/x;
  annotation(experiment(StopTime = 2, Interval = 0.125));
end GridHole;
