// what: a narrow place in which a body loses its speed
// says: within error unsolved
// methods: ros2 rk4 rodas4 ida
// parts: 4000
// ode: x[0]=0, x[1]=1; d[0]=x[1]; d[1]=-10*x[0]-2000*x[1]*exp(-pow((x[0]-0.2)/2e-4,2))
// watch: x = x[0]
model Obstacle
  output Real x(start = 0, fixed = true);
  Real v(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = -10*x - 2000*v*exp(-((x - 0.2)/2e-4)^2);
  annotation(experiment(StopTime = 3, Interval = 0.01));
end Obstacle;
