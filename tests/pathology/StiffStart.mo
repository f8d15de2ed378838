// what: stiff at the start only, and nonlinear
// watch: x = 1/sqrt(1/25.0 + 2000*t)
// says: unsolved unbounded error stability
model StiffStart
  output Real x(start = 5, fixed = true);
equation
  der(x) = -1000*x^3;
  annotation(experiment(StopTime = 1, Interval = 0.01));
end StiffStart;
