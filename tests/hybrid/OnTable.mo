// check: h1 1.4 0.6783973154559283
// grid: 0.02
// seen: 0.001
model OnTable "two balls on a table that swings"
  Real h1(start = 1, fixed = true), v1(start = 0, fixed = true), h2(start = 2, fixed = true), v2(start = 0, fixed = true);
  Real z, vz;
  Integer n(start = 0, fixed = true);
equation
  z = 0.1*sin(5*time);
  vz = 0.5*cos(5*time);
  der(h1) = v1;
  der(v1) = -9.81;
  der(h2) = v2;
  der(v2) = -9.81;
  when h1 <= z then
    reinit(v1, vz - 0.9*(pre(v1) - vz));
  end when;
  when h2 <= h1 then
    reinit(v2, pre(v1) + 0.2);
  end when;
  when {h1 <= z, h2 <= h1} then
    n = pre(n) + 1;
  end when;
end OnTable;
