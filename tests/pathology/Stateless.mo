// what: no state: an equation of time, its derivative and one unknown
// root: -3 3 y*y*y+y-exp(t/4)+(2+sin(t))*cos(t)*cos(t)
// watch: x = y
// says: error unsolved
model Stateless
  Real y;
  output Real x;
equation
  y = 2 + sin(time);
  y*der(y)^2 + x + x^3 = exp(time/4);
  annotation(experiment(StopTime = 5, Interval = 0.05));
end Stateless;
