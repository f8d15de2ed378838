// what: positive feedback: the output jumps where no solution is near
// root: -1 -0.7745966 tanh(5*(t-1+0.5*y))-y
// watch: y = y
// until: 1.180955
// says: unsolved
model PositiveFeedback
  Real u(start = -1, fixed = true);
  output Real y(start = -1);
equation
  der(u) = 1;
  y = tanh(5*(u + 0.5*y));
  annotation(experiment(StopTime = 2, Interval = 0.01));
end PositiveFeedback;
