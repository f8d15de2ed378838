// check: x 2 1.2497
// grid: 0.001
// seen: 0.001
model BesideSine "an instant beside a relation of time that changes often"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = if time > 0.7503 then 1 else 0;
  der(y) = if sin(3*time) > 0.5 then 1 else 0;
end BesideSine;
