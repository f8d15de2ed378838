model MixedIndex3 "A chain of index 3 with rows and columns mixed as time goes on"
  Real p(start = 0), q(start = 1), r(start = 0) "p = x1 cos - x2 sin, q = x1 sin + x2 cos";
  Real c, s, x1, x2, d1, d2;
equation
  c = cos(time);
  s = sin(time);
  x1 = c*p + s*q;
  x2 = c*q - s*p;
  d1 = c*der(p) + s*der(q) + x2;
  d2 = c*der(q) - s*der(p) - x1;
  d1 - x2 + s*(x1 - sin(2*time)) = 0;
  d2 - r + c*(x1 - sin(2*time)) = 0;
  (1 + 0.5*s)*(d1 - x2) + (2 + c)*(x1 - sin(2*time)) = 0;
  annotation(experiment(StopTime = 1));
end MixedIndex3;
