// takt: check --method radau3 --step 0.1 --dump=inlined
// tolerance: 1e-9
model Time "a relation of time is frozen in a step, as one of the states is"
  Real x(start = 0, fixed = true);
equation
  der(x) = if time < 0.5 then time else 0;
end Time;
