// what: eight events, each the cause of the next, at one point of time
// watch: x = fmax(0, t - 0.5)
// says: events error
model Dominoes
  output Real x(start = 0, fixed = true);
  Boolean b[8](each start = false, each fixed = true);
equation
  when time >= 0.5 then
    b[1] = true;
  end when;
  for i in 2:8 loop
    when pre(b[i - 1]) then
      b[i] = true;
    end when;
  end for;
  der(x) = if b[8] then 1 else 0;
  annotation(experiment(StopTime = 1, Interval = 0.01));
end Dominoes;
