// check: v 4 -0.6666666666666667
// grid: 0.01
model Released "pushed back to 1, sticks at 2, where its speed is set to 0; breaks away the same way at 10/3"
  Real v(start = 0, fixed = true), F, f;
  Integer mode(start = 0, fixed = true);
equation
  F = if time < 1 then -2 else if time < 3 then 0 else -3*(time - 3);
  der(v) = F - f;
  f = if mode == 0 then F else mode;
  mode = if pre(mode) == 0 then (if F > 1 then 1 else if F < -1 then -1 else 0)
    else if pre(mode) == 1 then (if v < 0 then 0 else 1) else (if v > 0 then 0 else -1);
  when mode == 0 then
    reinit(v, 0);
  end when;
end Released;
