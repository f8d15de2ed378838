// check: i 3.3 0.95
// grid: 0.01
model Chopper "between 0.9 and 1.1 with slopes of 1/2"
  Real i(start = 0, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  der(i) = if on then 0.5 else -0.5;
  on = if pre(on) then i < 1.1 else i < 0.9;
end Chopper;
