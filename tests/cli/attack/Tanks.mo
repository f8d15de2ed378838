model Tanks "three tanks, a pump that goes off"
  parameter Real toff = 100;
  parameter Real q = 1e-3;
  output Real y = h[3];
  Real h[3](start = {1, 0.8, 0.5}, each fixed = true), f[3], qin;
  Real s(start = 0.001, fixed = true) "the valve, which is fast";
equation
  qin = if time < toff then q else 0;
  f[1] = 2e-3*(h[1] - h[2])/sqrt(abs(h[1] - h[2]) + 1e-4);
  f[2] = 2e-3*(h[2] - h[3])/sqrt(abs(h[2] - h[3]) + 1e-4);
  f[3] = s*sqrt(abs(h[3]) + 1e-5);
  der(s) = 50*(1e-3*(1 + h[3]) - s);
  0.05*der(h[1]) = qin - f[1];
  0.02*der(h[2]) = f[1] - f[2];
  0.03*der(h[3]) = f[2] - f[3];
  annotation(experiment(StopTime = 60));
end Tanks;
