// what: a source of nearly the frequency of the grid, which shows a slow one
// watch: x = 0.01*(1 - cos(2*3.14159265358979324*49*t))
// says: within error unsolved
model Beating
  output Real x(start = 0, fixed = true);
  constant Real w = 2*3.14159265358979324*49;
equation
  der(x) = 0.01*w*sin(w*time);
  annotation(experiment(StopTime = 1, Interval = 0.02));
end Beating;
