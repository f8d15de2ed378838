model Plant "Two lags; part of the input is seen at once"
  input Real u;
  output Real y;
  parameter Real direct = 0;
  Real a(start = 0, fixed = true), b(start = 0.5, fixed = true);
equation
  der(a) = 20 * (u - a);
  der(b) = 3 * (a - b);
  y = b + direct * u;
  annotation(experiment(StopTime = 2, Interval = 0.01));
end Plant;
