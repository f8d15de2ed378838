// check: x 1 2
// grid: 1e-9
model FourWays "four ways to write an event at 1/2: 1/2 each"
  Real a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true), d(start = 0, fixed = true), x;
equation
  der(a) = if time > 0.5 then 1 else 0;
  der(b) = if time >= 0.5 then 1 else 0;
  der(c) = if time <= 0.5 then 1 else 0;
  der(d) = if time < 0.5 then 1 else 0;
  x = a + b + c + d;
end FourWays;
