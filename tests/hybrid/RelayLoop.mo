// check: x 5 1.330434839813445
// grid: 0.01
model RelayLoop "relay with hysteresis inside a nonlinear algebraic loop"
  Real x(start = 0.2, fixed = true), e, y, z;
  Boolean on(start = true, fixed = true);
equation
  z = tanh(e) + 0.5*e;
  e = 1 - x - 0.2*z + 0.1*y;
  y = if on then 1 + 0.1*z else -1 + 0.2*z^2;
  on = if pre(on) then e > -0.2 else e > 0.3;
  der(x) = y - 0.3*x + z;
end RelayLoop;
