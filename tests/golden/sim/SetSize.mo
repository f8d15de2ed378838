// takt: sim --step 0.125 --stop 1 --set n=3
// exit: 1
model SetSize "a parameter that is a size cannot be set afterwards"
  parameter Integer n = 2;
  Real x[n](each start = 0, each fixed = true);
equation
  der(x) = ones(n);
end SetSize;
