// what: a state falls far below its absolute tolerance and grows to its first size again
// watch: x = exp(10*(t - 2)*(t - 2) - 40)
// says: tolerance error stability unsolved unbounded within
// methods: be rodas4 radau5 rk4 ida
model Returns
  output Real x(start = 1, fixed = true);
equation
  der(x) = 20*(time - 2)*x;
  annotation(experiment(StopTime = 4, Interval = 0.01));
end Returns;
