// exit: 3
model WhenInPartition "16.8.1: a when clause among equations that are integrated at ticks"
  Real y(start = 1, fixed = true), u;
equation
  when Clock(Clock(1, 10), solverMethod = "ExplicitEuler") then
    u = sample(time);
  end when;
  der(y) = u;
  when y > 1.2 then
    reinit(y, 1);
  end when;
end WhenInPartition;
