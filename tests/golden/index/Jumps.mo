// tolerance: 1e-3
// takt: sim --method partition @FILE@
// exit: 1
model Jumps "The constraint jumps at an event, what it binds goes on"
  Real x(start = 1, fixed = true), y, u;
  discrete Real l(start = 2, fixed = true);
  Real c = cos(time), s = sin(time);
equation
  c*(der(x) + x - u) + s*(x + y - l) = 0;
  c*(x + y - l) - s*(der(x) + x - u) = 0;
  der(y) = u - y;
  when time >= 0.5 then
    l = 3;
  end when;
end Jumps;
