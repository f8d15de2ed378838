model Driven "Index 2 with turned rows: a follows the input, so b needs its derivative"
  input Real u;
  Real a, b, e(start = 0, fixed = true);
  Real c = cos(0.5*time), s = sin(0.5*time);
equation
  c*(der(a) - b) + s*(a - u) = 0;
  c*(a - u) - s*(der(a) - b) = 0;
  der(e) = b - e;
  annotation(experiment(StopTime = 2));
end Driven;
