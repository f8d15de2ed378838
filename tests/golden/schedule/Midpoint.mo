// takt: check --method midpoint --step 0.1 --dump=inlined
model Midpoint "the model once more at the end of the step"
  input Real u;
  Real x(start = 1, fixed = true);
equation
  der(x) = u - x;
end Midpoint;
