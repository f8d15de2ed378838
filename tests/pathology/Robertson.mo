// what: Robertson's kinetics in steps of 10 s
// parts: 50000
// ode: x[0]=1, x[1]=0, x[2]=0; d[0]=-0.04*x[0]+1e4*x[1]*x[2]; d[2]=3e7*x[1]*x[1]; d[1]=-d[0]-d[2]
// watch: y1 = x[0]
// watch: y2 = x[1]
// says: unsolved unbounded error stability
model Robertson
  output Real y1(start = 1, fixed = true), y2(start = 0, fixed = true),
    y3(start = 0, fixed = true);
equation
  der(y1) = -0.04*y1 + 1e4*y2*y3;
  der(y3) = 3e7*y2^2;
  der(y2) = -der(y1) - der(y3);
  annotation(experiment(StopTime = 400, Interval = 10));
end Robertson;
