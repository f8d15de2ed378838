// takt: check --method rk2 --step 0.1 --dump=schedule
model Heun "explicit: the first stage was computed by the step before"
  Real x(start = 1, fixed = true);
equation
  der(x) = -x^2;
end Heun;
