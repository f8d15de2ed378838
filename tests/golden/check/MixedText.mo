// takt: check --method radau3 --step 0.01
// tolerance: 1e-6
model Mixed "a loop, a delay, a sampled control, a switch, a table of ifs"
  parameter Real k = 3;
  parameter Real T = 0.2;
  Real x(start = 1, fixed = true);
  Real y(start = 0, fixed = true);
  Real a(start = 0.5), b(start = 0.5);
  Real late = delay(x, 0.03);
  Boolean up(start = false, fixed = true);
  discrete Real u(start = 0.25, fixed = true);
  Real f = if time < 0.05 then sin(20*time) else if x > 0.9 then y^2 else exp(-x);
equation
  2*a + b + 0.1*a^3 = x + 1;
  a - 2*b - 0.1*sin(b) = y + 0.1*u;
  T*der(x) = -a*k + late + f;
  der(y) = if up then -x else 2 + abs(b);
  up = y > 0.08;
  when sample(0.01, 0.02) then
    u = 0.5*pre(u) + x;
  end when;
end Mixed;
