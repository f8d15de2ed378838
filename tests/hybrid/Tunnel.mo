// check: v 0.5 0.9471128324301102
// grid: 1e-06
model Tunnel "a tunnel diode that begins at rest: 1.7 V over 1.5 Ohm; no iteration from 0 finds it"
  parameter Real E = 1.7, R = 1.5, C = 0.1;
  Real v, i, z(start = 0, fixed = true);
initial equation
  der(v) = 0;
equation
  i = 17.76*v - 103.79*v^2 + 229.62*v^3 - 226.31*v^4 + 83.72*v^5;
  C*der(v) = (E - v)/R - i;
  der(z) = if v > 0.5 then 1 else 0;
end Tunnel;
