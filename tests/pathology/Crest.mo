// what: a crest that passes a limit between two points of the grid
// watch: n = t < 1.566324206 ? 0 : t > 1.575268447 ? 1 : (t - 1.566324206)/0.008944241
// says: within error tolerance
model Crest
  Real s(start = 0, fixed = true), c(start = 1, fixed = true);
  output Real n(start = 0, fixed = true);
equation
  der(s) = c;
  der(c) = -s;
  der(n) = if s > 0.99999 then 1/0.008944241 else 0;
  annotation(experiment(StopTime = 3, Interval = 0.05));
end Crest;
