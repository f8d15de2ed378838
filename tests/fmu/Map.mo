/* A table from a file, which the FMU has inside. */
model Map
  Takt.Blocks.Tables.Table1 map(tableName = "tab1", fileName = "map.txt");
  Real x(start = 0, fixed = true);
equation
  map.u = time;
  der(x) = map.y - x;
  annotation (experiment(StopTime = 1, Interval = 0.01));
end Map;
