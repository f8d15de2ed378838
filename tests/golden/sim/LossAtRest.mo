// A pressure loss has no slope without flow, where the unknown begins: the
// start is found from beside it.
model LossAtRest
  parameter Real k = 4;
  Real dp, m;
equation
  dp = 200*(1 + time)^2;
  dp = 0.5*k*m*abs(m);
  assert(abs(m - 10*(1 + time)) < 1e-8, "the flow is wrong");
end LossAtRest;
