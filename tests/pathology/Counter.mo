// what: a counter of what happens between two points of the grid
// watch: n = t < 1.566324206 ? 0 : 1
// jump: 1.5663
// says: within error tolerance
model Counter
  Real s(start = 0, fixed = true), c(start = 1, fixed = true);
  output Integer n(start = 0, fixed = true);
equation
  der(s) = c;
  der(c) = -s;
  when s > 0.99999 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 3, Interval = 0.05));
end Counter;
