// check: i 2 0.5439716281307305
// grid: 0.01
model BackEmf "a diode, an inductor, sin t against 1/2: from pi/6 on"
  Real i(start = 0, fixed = true);
  Boolean on(start = false, fixed = true);
equation
  der(i) = if on then sin(time) - 0.5 else 0;
  on = if pre(on) then i >= 0 else sin(time) > 0.5;
end BackEmf;
