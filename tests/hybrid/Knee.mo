// check: q 1 0.4195867599009902
// grid: 0.01
model Knee "a diode with a knee of 0.7, resistor 1, 2 t across both"
  parameter Real r = 0.01, g = 0.01;
  Real s, v, i, q(start = 0, fixed = true);
equation
  v = s*(if s < 0 then 1 else r) + 0.7;
  i = s*(if s < 0 then g else 1) + g*0.7;
  2*time = v + i;
  der(q) = i;
end Knee;
