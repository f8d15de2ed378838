// exit: 0
model DependentEquations "Structure sees two equations where there is only one"
  Real x(start = 1), y(start = 1), z;
equation
  x*y = z;
  2*log(x) + 2*log(y) = 2*log(z);
  z = 2 + sin(time);
end DependentEquations;
