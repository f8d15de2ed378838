model DependentMass "Rows of the mass matrix depend on each other: index 1, structure sees an ODE"
  Real x(start = 1, fixed = true), y(start = 1);
equation
  der(x) + der(y) = -x;
  2*der(x) + 2*der(y) + y = -time - exp(-time);
  annotation(experiment(StopTime = 1));
end DependentMass;
