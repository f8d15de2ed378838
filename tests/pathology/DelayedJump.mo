// what: a jump that arrives through a delay, off the grid
// watch: x = t > 0.805 ? 1 - exp(-10*(t - 0.805)) : 0
// says: error
// methods: be lie ros2 radau5 rk4
model DelayedJump
  output Real x(start = 0, fixed = true);
  Real u;
equation
  u = if time > 0.505 then 1 else 0;
  der(x) = 10*(delay(u, 0.3) - x);
  annotation(experiment(StopTime = 2, Interval = 0.05));
end DelayedJump;
