// check: q 1.05 0.33
// grid: 0.01
model Pwm "on for 0.03 of every tenth"
  Real q(start = 0, fixed = true);
equation
  der(q) = if mod(time, 0.1) < 0.03 then 1 else 0;
end Pwm;
