// takt: check --method be --step 0.1 --dump=inlined
model Relation "a relation is frozen, a sampled signal acts after the step"
  Real x(start = 1, fixed = true), z(start = 0, fixed = true);
  Boolean high;
equation
  high = x > 0.5;
  der(x) = if high then -1 - z else 1 - z;
  when sample(0, 0.5) then
    z = x;
  end when;
end Relation;
