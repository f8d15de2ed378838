model Stiff "A mode with h |lambda| = 1000 at a step of 1 ms"
  Real x(start = 1, fixed = true);
  output Real y = x;
equation
  der(x) = 1e6*(cos(time) - x);
  annotation(experiment(StopTime = 1, Interval = 1e-3));
end Stiff;
