// tolerance: 1e-9
model Network "a linear loop of three currents"
  parameter Real R[3] = {1, 2, 3}, C = 0.1, L = 0.05;
  Real i[3], v(start = 1, fixed = true), j(start = 0, fixed = true);
equation
  R[1]*i[1] + v = sin(10*time) - R[2]*i[2];
  i[1] = i[2] + i[3];
  R[3]*i[3] - R[2]*i[2] = v - L*j;
  C*der(v) = i[1] - j;
  L*der(j) = v - R[3]*i[3];
end Network;
