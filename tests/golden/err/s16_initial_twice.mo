model M "an initial equation that contradicts a fixed start value"
  Real u = sample(0.0, Clock(Clock(1, 10), solverMethod = "ExplicitEuler"));
  Real x(start = 1, fixed = true);
initial equation
  x = 2;
equation
  der(x) = u - x;
end M;
