// what: a notch in a table of a state, between two points of the grid
// watch: x = t < 0.5 ? t : t < 0.505 ? t - (t - 0.5)*(t - 0.5)/0.01 : t < 0.525 ? 0.5025 : t < 0.53 ? 0.5025 + (t - 0.525)*(t - 0.525)/0.01 : t - 0.025
// says: within error unsolved
// methods: be lie ros2 ida
model Notch
  output Real x(start = 0, fixed = true);
  Real s(start = 0, fixed = true);
  Takt.Blocks.Tables.Table1 t(table = [0, 1; 0.5, 1; 0.505, 0; 0.525, 0; 0.53, 1; 2, 1]);
equation
  der(s) = 1;
  t.u = s;
  der(x) = t.y;
  annotation(experiment(StopTime = 1, Interval = 0.05));
end Notch;
