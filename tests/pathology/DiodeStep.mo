// what: five volts are put on a diode: the first Newton step is far off
// root: -1 1 y+1e-9*(exp(40*y)-1)-(t<0.5?0:5)
// watch: v = y
// jump: 0.5
// says: unsolved unbounded
model DiodeStep
  Real s(start = 0, fixed = true);
  output Real v(start = 0);
equation
  der(s) = 1;
  v + 1e-9*(exp(40*v) - 1) = if s < 0.5 then 0 else 5;
  annotation(experiment(StopTime = 1, Interval = 0.01));
end DiodeStep;
