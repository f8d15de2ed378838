model Moved "The derivative of an input is an input of its own"
  input Real s(start = 0.5);
  Real x(start = 0, fixed = true);
  output Real v;
equation
  v = der(s);
  der(x) = v - x;
  annotation(experiment(StopTime = 1, Interval = 1e-2));
end Moved;
