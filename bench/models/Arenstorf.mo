model Arenstorf "a satellite between earth and moon: most of a closed orbit"
  parameter Real m = 0.012277471, e = 1 - m;
  Real x(start = 0.994, fixed = true), y(start = 0, fixed = true);
  Real u(start = 0, fixed = true), v(start = -2.00158510637908252240537862224, fixed = true);
  Real d, f;
equation
  d = ((x + m)^2 + y^2)^1.5;
  f = ((x - e)^2 + y^2)^1.5;
  der(x) = u;
  der(y) = v;
  der(u) = x + 2*v - e*(x + m)/d - m*(x - e)/f;
  der(v) = y - 2*u - e*y/d - m*y/f;
  annotation(experiment(StopTime = 10), Documentation(info = "Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, II.0."));
end Arenstorf;
