// what: a pole between two points of the grid drives a state
// watch: z = log(fabs(t-0.777)/0.777)
// until: 0.777
// says: unbounded unsolved error
model PoleOffGrid
  Real x(start = 0, fixed = true);
  output Real z(start = 0, fixed = true);
equation
  der(x) = 1;
  der(z) = 1/(x - 0.777);
  annotation(experiment(StopTime = 1.5, Interval = 0.01));
end PoleOffGrid;
