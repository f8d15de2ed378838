// what: a slope jumps without an event, again and again: where in a step, no estimate can tell
// watch: z = floor(t/0.137)*0.0137 + fmin(t - floor(t/0.137)*0.137, 0.0137)
// says: error within
model Comb
  output Real z(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  der(z) = noEvent(if mod(x, 0.137) < 0.0137 then 1 else 0);
  annotation(experiment(StopTime = 3, Interval = 0.003));
end Comb;
