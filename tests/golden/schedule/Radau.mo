// takt: check --method radau3 --step 0.1 --dump=inlined
// tolerance: 1e-9
model Radau "two stages, the second is the end of the step"
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -y;
  y^3 + y = x + time;
end Radau;
