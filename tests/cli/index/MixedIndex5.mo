model MixedIndex5 "Index 5 behind rows that are mixed by time and states: structure sees 1"
  Real x1(start=0), x2(start=1), x3(start=0), x4(start=-1), u;
equation
  der(x1) = x2;
  der(x2) = x3;
  der(x3) = x4;
  (2 + sin(time))*(der(x4) - u*(1 + 0.1*x2^2)) + (x1 - sin(time)) = 0;
  (der(x4) - u*(1 + 0.1*x2^2)) - 3*(x1 - sin(time)) = 0;
  annotation(experiment(StopTime=1));
end MixedIndex5;
