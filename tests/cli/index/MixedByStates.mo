model MixedByStates "Index 2, hidden behind factors that depend on the states"
  Real a(start=1), b(start=0, fixed=true), c;
equation
  der(a) = -a + c;
  (1 + a^2)*(der(b) - cos(time) - c) + (a - exp(-time)) = 0;
  (2 + a*b)*(der(b) - cos(time) - c) - (a - exp(-time)) = 0;
  annotation(experiment(StopTime=1));
end MixedByStates;
