// what: constants that cancel before there is a run
// watch: x = 3*t
// says: rounding
// methods: be radau5 rk4 ida
model Folded
  constant Real base = 1e17;
  constant Real gain = base + 3 - base;
  output Real x(start = 0, fixed = true);
equation
  der(x) = gain;
  annotation(experiment(StopTime = 2, Interval = 0.02));
end Folded;
