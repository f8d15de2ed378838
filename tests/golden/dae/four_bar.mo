model FourBar "A linkage of three moving bars in absolute coordinates"
  parameter Real L1 = 1, L2 = 2.5, L3 = 2, d = 2.5, g = 9.81;
  parameter Real m1 = 1, m2 = 2.5, m3 = 2;
  Real x[3](start = {0.5, 1.8, 2.9}), y[3](start = {0.1, 0.9, 0.8});
  Real phi[3](start = {0.2, 0.6, 4.2});
  Real vx[3], vy[3], w[3];
  Real fx[4], fy[4] "forces in the four joints";
equation
  der(x) = vx;
  der(y) = vy;
  der(phi) = w;
  m1*der(vx[1]) = fx[1] - fx[2];
  m1*der(vy[1]) = fy[1] - fy[2] - m1*g;
  m1*L1^2/12*der(w[1]) = L1/2*(sin(phi[1])*(fx[1] + fx[2])
    - cos(phi[1])*(fy[1] + fy[2]));
  m2*der(vx[2]) = fx[2] - fx[3];
  m2*der(vy[2]) = fy[2] - fy[3] - m2*g;
  m2*L2^2/12*der(w[2]) = L2/2*(sin(phi[2])*(fx[2] + fx[3])
    - cos(phi[2])*(fy[2] + fy[3]));
  m3*der(vx[3]) = fx[3] - fx[4];
  m3*der(vy[3]) = fy[3] - fy[4] - m3*g;
  m3*L3^2/12*der(w[3]) = L3/2*(sin(phi[3])*(fx[3] + fx[4])
    - cos(phi[3])*(fy[3] + fy[4]));
  x[1] - L1/2*cos(phi[1]) = 0;
  y[1] - L1/2*sin(phi[1]) = 0;
  x[1] + L1/2*cos(phi[1]) = x[2] - L2/2*cos(phi[2]);
  y[1] + L1/2*sin(phi[1]) = y[2] - L2/2*sin(phi[2]);
  x[2] + L2/2*cos(phi[2]) = x[3] - L3/2*cos(phi[3]);
  y[2] + L2/2*sin(phi[2]) = y[3] - L3/2*sin(phi[3]);
  x[3] + L3/2*cos(phi[3]) = d;
  y[3] + L3/2*sin(phi[3]) = 0;
end FourBar;
