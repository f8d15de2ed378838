// tolerance: 1e-9
model Summary "steps, iterations and events are counted"
  Real x(start = 1, fixed = true);
  discrete Integer k(start = 0, fixed = true);
equation
  der(x) = -1;
  when sample(0, 0.25) then
    k = pre(k) + 1;
  end when;
end Summary;
