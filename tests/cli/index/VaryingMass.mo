model VaryingMass "As DependentMass with a factor that depends on the solution"
  Real x(start = 1), y(start = 0), z(start = 1);
equation
  der(x) + z*der(y) = -x;
  exp(x)*(der(x) + z*der(y)) + y = time - x*exp(x);
  der(z) = -z;
  annotation(experiment(StopTime = 1));
end VaryingMass;
