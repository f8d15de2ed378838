// check: x 3.75 0.5
// grid: 0.02
model Cycle "fill for 1, wait for 1/2, empty for 1/2"
  Real x(start = 0, fixed = true);
  discrete Real t0(start = 0, fixed = true);
  Integer mode(start = 1, fixed = true);
equation
  der(x) = if mode == 1 then 1 else if mode == 2 then 0 else -2;
  mode = if pre(mode) == 1 and x >= 1 then 2 else if pre(mode) == 2 and time >= pre(t0) + 0.5 and pre(mode) == 2 then 3 else if pre(mode) == 3 and x <= 0 then 1 else pre(mode);
  when mode == 2 then
    t0 = time;
  end when;
end Cycle;
