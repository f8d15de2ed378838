// what: Newton's method diverges from the last value: the root has jumped away
// watch: y = t < 0.5 ? 0 : 3
// jump: 0.5
// says: unsolved
model FarRoot
  Real s(start = 0, fixed = true);
  output Real y(start = 0);
equation
  der(s) = 1;
  atan(2*(y - (if s < 0.5 then 0 else 3))) + 1e-3*(y - (if s < 0.5 then 0 else 3)) = 0;
  annotation(experiment(StopTime = 1, Interval = 0.01));
end FarRoot;
