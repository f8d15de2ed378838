// check: z 0.6 -0.03590578315102
// grid: 0.02
model Schmitt "positive feedback: y jumps down at u = -0.2, at t1 = acos(-0.2)/(2 pi): z = t1 - (0.6 - t1)"
  Real s, y(start = 1), u, z(start = 0, fixed = true);
equation
  u = cos(2*3.141592653589793*time);
  s = 10*(u + 0.3*y);
  y = if s > 1 then 1 else if s < -1 then -1 else s;
  der(z) = y;
end Schmitt;
