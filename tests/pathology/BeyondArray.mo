// what: an index that leaves its array
// watch: x = t < 3 ? (t < 1 ? t : t < 2 ? 2*t - 1 : 3*t - 3) : 6
// until: 3
// says: asserted
// methods: radau5
model BeyondArray
  parameter Real a[3] = {1, 2, 3};
  Integer k = integer(time) + 1;
  output Real x(start = 0, fixed = true);
equation
  der(x) = a[k];
  annotation(experiment(StopTime = 4, Interval = 0.01));
end BeyondArray;
