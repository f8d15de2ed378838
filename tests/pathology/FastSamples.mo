// what: ten samples in a step
// watch: k = floor(t/0.001 + 1e-6) + 1
// says: events error
model FastSamples
  Real x(start = 0, fixed = true);
  discrete output Real k(start = 0, fixed = true);
equation
  der(x) = k;
  when sample(0, 0.001) then
    k = pre(k) + 1;
  end when;
  annotation(experiment(StopTime = 0.5, Interval = 0.01));
end FastSamples;
