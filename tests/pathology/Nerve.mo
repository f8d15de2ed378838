// what: a nerve fires: FitzHugh and Nagumo's equations, three orders of magnitude apart
// parts: 2000
// ode: x[0]=-1, x[1]=-0.5; d[0]=1000*(x[0]-x[0]*x[0]*x[0]/3-x[1]+0.5); d[1]=x[0]+0.7-0.8*x[1]
// watch: v = x[0]
// watch: w = x[1]
// says: unsolved unbounded error
model Nerve
  output Real v(start = -1, fixed = true), w(start = -0.5, fixed = true);
equation
  0.001*der(v) = v - v^3/3 - w + 0.5;
  der(w) = v + 0.7 - 0.8*w;
  annotation(experiment(StopTime = 6, Interval = 0.05));
end Nerve;
