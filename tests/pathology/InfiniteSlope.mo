// what: a slope that is infinite at one point, and can be integrated
// says: error within unsolved unbounded
// methods: be ida
// watch: x = t < 1.003 ? 2*(sqrt(1.003)-sqrt(1.003-t)) : 2*sqrt(1.003)+2*sqrt(t-1.003)
model InfiniteSlope
  output Real x(start = 0, fixed = true);
  Real s(start = 1.003, fixed = true);
equation
  der(s) = -1;
  der(x) = 1/sqrt(abs(s));
  annotation(experiment(StopTime = 2, Interval = 0.01));
end InfiniteSlope;
