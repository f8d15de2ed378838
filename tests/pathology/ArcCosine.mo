// what: the angle of a cosine above one
// watch: y = acos(1.2*sin(t))
// until: asin(1/1.2)
// says: unsolved unbounded
model ArcCosine
  Real s(start = 0, fixed = true);
  output Real y;
equation
  der(s) = 1;
  y = acos(1.2*sin(s));
  annotation(experiment(StopTime = 6, Interval = 0.01));
end ArcCosine;
