/* Outputs that follow from parameters, or from nothing. */
model Fixed
  parameter Real a = 1, b = 2;
  output Real y = a + b;
  output Real c = 7;
  output Integer n = 3;
  output Boolean on = time > 0.55;
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  annotation (experiment(StopTime = 1, Interval = 0.1));
end Fixed;
