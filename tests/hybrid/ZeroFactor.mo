// check: v2 1 0.6321205588285577
// grid: 0.02
model ZeroFactor "two capacitors, joined by R = 0, and one whose k is 0: 2 v' = 2 (1 - v)"
  parameter Real R = 0, k = 0;
  Real v1, v2, i, j, c, u;
initial equation
  v2 = 0;
equation
  der(v1) = 2*(1 - v1) - i;
  der(v2) = i - j;
  R*i = v1 - v2;
  c = if v2 > 0.5 then k*exp(v2) else k*(1 + v2);
  j = c*der(u);
  u = v1 - 3*j;
end ZeroFactor;
