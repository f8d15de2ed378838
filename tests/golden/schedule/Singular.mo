// takt: check --direct --method rk4 --step 0.1
model Singular "an explicit method cannot be inlined into a system of index 2"
  Real x(start = 0), y;
equation
  der(x) = y;
  x = sin(time);
end Singular;
