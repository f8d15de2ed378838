model Solver "a clocked continuous partition by explicit Euler"
  Real u = sample(1.0, Clock(Clock(1, 10), solverMethod = "ExplicitEuler"));
  Real x(start = 0, fixed = true), y = hold(x), want(start = 0);
equation
  der(x) = u - x;
  want = if firstTick(want) then 0 else previous(want) + 0.1*(1 - previous(want));
  assert(abs(x - want) < 1e-9, "euler");
end Solver;
