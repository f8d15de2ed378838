// exit: 0
model InitialMissing "Start values of x and v are taken"
  Real x(start = 3), v;
equation
  der(x) = v;
  der(v) = -x;
end InitialMissing;
