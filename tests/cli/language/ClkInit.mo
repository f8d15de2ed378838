model ClkInit "initial equations of a clocked partition that repeat its start values"
  parameter Real a = 1, b = 3;
  Real u = sample(0.0, Clock(Clock(1, 10), solverMethod = "ExplicitEuler"));
  Real x[2](start = {a, -1}, each fixed = true), z, want(start = 1);
initial equation
  x[1] = a;
  x[2] = -1;
  z = b;
equation
  der(x) = {u + x[2], -x[2]};
  der(z) = u - z;
  want = if firstTick(want) then b else 0.9*previous(want);
  assert(abs(z - want) < 1e-9, "z");
  assert(abs(x[1] - want/3) < 1e-9, "x");
end ClkInit;
