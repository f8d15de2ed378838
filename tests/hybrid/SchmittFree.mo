// check: z 6 -0.28318530717958623
// grid: 0.01
model SchmittFree "a Schmitt trigger with algebraic feedback and no start value: 2 cos t begins above its band"
  Real s, y, z(start = 0, fixed = true);
equation
  s = 2*cos(time) + 0.5*y;
  y = if s > 0 then 1 else -1;
  der(z) = y;
end SchmittFree;
