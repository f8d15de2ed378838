/* A parameter without a value is 0, and so is R: the index is that of R = 0. */
model ValuelessZero
  parameter Real Ri;
  parameter Real R = Ri;
  Real u(start = 0);
  Real i;
equation
  R*i + u = sin(time);
  der(u) = i;
end ValuelessZero;
