// check: x1 3 1.2701474159761696
// grid: 0.02
model Backlash "driven mass, gap of 0.1, second mass with stiction"
  Real x1(start = 0, fixed = true), v1(start = 0, fixed = true), x2(start = 0, fixed = true), v2(start = 0, fixed = true);
  Real d, F, f;
  parameter Real fs = 1, k = 20;
  Integer mode(start = 0, fixed = true);
equation
  d = x1 - x2;
  F = if d > 0.05 then k*(d - 0.05) else if d < -0.05 then k*(d + 0.05) else 0;
  der(x1) = v1;
  der(v1) = 5*sin(3*time) - F - 0.5*v1;
  der(x2) = v2;
  der(v2) = F - f;
  f = if mode == 0 then F else fs*mode;
  mode = if pre(mode) == 0 then (if F > fs then 1 else if F < -fs then -1 else 0)
    else if pre(mode) == 1 then (if v2 < 0 then 0 else 1) else (if v2 > 0 then 0 else -1);
  when mode == 0 then
    reinit(v2, 0);
  end when;
end Backlash;
