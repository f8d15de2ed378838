// takt: sim --step 0.125 --stop 1 --set k=3
model SetValue "a parameter that is only a value can be set"
  parameter Integer n = 2;
  parameter Real k = 1;
  Real x[n](each start = 0, each fixed = true);
equation
  der(x) = k*ones(n);
  when terminal() then
    assert(abs(x[1] - 3) < 1e-12 and abs(x[2] - 3) < 1e-12, "k is 3");
  end when;
end SetValue;
