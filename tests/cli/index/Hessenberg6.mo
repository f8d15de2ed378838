model Hessenberg6 "A chain of 5 integrators whose first is prescribed: index 6"
  Real x[5](start = {0, 1, 0, -1, 0}), u(start = 0);
equation
  der(x[1]) = x[2] + 0.1*(x[1] - x[1]);
  der(x[2]) = x[3] + 0.1*(x[2] - x[1]);
  der(x[3]) = x[4] + 0.1*(x[3] - x[1]);
  der(x[4]) = x[5] + 0.1*(x[4] - x[1]);
  der(x[5]) = (1 + 0.1*x[1]^2)*u;
  x[1] = sin(time);
  annotation(experiment(StopTime = 1));
end Hessenberg6;
