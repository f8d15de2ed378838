// what: a stirred reactor ignites: the cold solution ends
// root: 0 1.19432 y-0.01*(1+t)*exp(y/(1+y/20))*(20-y)
// watch: T = y
// until: 1.05766
// says: unsolved
model Ignition
  Real d(start = 0.01, fixed = true) "Damkoehler number";
  output Real T(start = 0.2);
equation
  der(d) = 0.01;
  T = d*exp(T/(1 + T/20))*(20 - T);
  annotation(experiment(StopTime = 6, Interval = 0.01));
end Ignition;
