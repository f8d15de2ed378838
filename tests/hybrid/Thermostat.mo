// check: T 3 1.103832769378449
// grid: 0.01
model Thermostat "up to 3/2 after ln 4, down to 1/2 and up again after ln 3 each"
  Real T(start = 0, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  der(T) = (if on then 2 else 0) - T;
  on = if pre(on) then T < 1.5 else T < 0.5;
end Thermostat;
