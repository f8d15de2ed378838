// check: x 20 -0.017761764547787127
// grid: 0.02
model Stribeck "mass on a belt, Stribeck curve"
  parameter Real vb = 0.3, fs = 1, fc = 0.6, vs = 0.1, k = 2, d = 0.05;
  Real x(start = 0, fixed = true), v(start = 0.3, fixed = true), vr, f, g;
  Integer mode(start = 0, fixed = true) "0 stuck, 1 slips forward of the belt, -1 behind";
equation
  der(x) = v;
  vr = v - vb;
  g = fc + (fs - fc)*exp(-(vr/vs)^2);
  f = if mode == 0 then -k*x - d*vb else if mode == 1 then g else -g;
  der(v) = if mode == 0 then 0 else -k*x - d*v - f;
  mode = if pre(mode) == 0 then (if f > fs then 1 else if f < -fs then -1 else 0)
    else if pre(mode) == 1 then (if vr < 0 then 0 else 1) else (if vr > 0 then 0 else -1);
end Stribeck;
