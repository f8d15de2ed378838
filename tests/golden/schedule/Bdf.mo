// takt: check --method bdf2 --step 0.1 --dump=inlined
// tolerance: 1e-9
model Bdf "history and its start"
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Bdf;
