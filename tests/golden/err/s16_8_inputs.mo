// exit: 3
/* The constraint of a state of a partition has an input in it, whose derivative
 * nobody knows. */
model Inputs
  Clock c = Clock(Clock(1, 10), solverMethod = "ImplicitEuler");
  Real u = sample(sin(time), c);
  Real x, y;
equation
  der(x) = -x + y;
  x = u;
end Inputs;
