// exit: 1
model Fails "an assertion ends the run with its time and message"
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(x < 0.6, "x is too large");
end Fails;
