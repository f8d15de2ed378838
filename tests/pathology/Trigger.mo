// what: a bistable element is pushed over its edge and jumps
// parts: 1000
// ode: x[0]=-1.3247179572447460; d[0]=1000*(x[0]-x[0]*x[0]*x[0]+t-1)
// watch: x = x[0]
// says: unsolved error stability
model Trigger
  output Real x(start = -1.3247179572447460, fixed = true);
equation
  0.001*der(x) = x - x^3 + time - 1;
  annotation(experiment(StopTime = 2, Interval = 0.01));
end Trigger;
