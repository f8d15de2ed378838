// what: Torricelli's tank runs empty; the root of a negative level
// watch: h = t < 2 ? (1 - t/2)*(1 - t/2) : 0
// says: unsolved unbounded error
model Tank
  output Real h(start = 1, fixed = true);
equation
  der(h) = -sqrt(h);
  annotation(experiment(StopTime = 3, Interval = 0.03));
end Tank;
