model Control "A PI controller"
  input Real y "measured";
  output Real u;
  parameter Real k = 2, T = 0.5, r = 1;
  Real i(start = 0, fixed = true);
equation
  der(i) = (r - y) / T;
  u = k * (r - y + i);
  annotation(experiment(StopTime = 2, Interval = 0.01));
end Control;
