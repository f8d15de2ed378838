// check: z 1 12
// grid: 1e-09
model Swap "both take the value of the other"
  Real x(start = 1, fixed = true), y(start = 2, fixed = true), z;
equation
  der(x) = 0;
  der(y) = 0;
  when time >= 0.5 then
    reinit(x, pre(y));
    reinit(y, pre(x));
  end when;
  z = x + 10*y;
end Swap;
