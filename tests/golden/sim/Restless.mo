model Restless "events that never come to rest are bounded and named"
  Boolean b(start = false, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  b = if time >= 0.5 then not pre(b) else false;
end Restless;
