// what: a fast mode that explicit methods make grow
// watch: x = cos(t) 
// says: unbounded stability error
model StiffExplicit
  output Real x(start = 1, fixed = true);
equation
  der(x) = -1e4*(x - cos(time)) - sin(time);
  annotation(experiment(StopTime = 0.2, Interval = 0.001));
end StiffExplicit;
