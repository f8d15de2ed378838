// check: x 1.05 0.331244518095
// grid: 0.02
model Sampled "u = x at every tenth: x falls by a factor of 0.9 each; half of the last"
  Real x(start = 1, fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  when sample(0, 0.1) then
    u = x;
  end when;
  der(x) = -u;
end Sampled;
