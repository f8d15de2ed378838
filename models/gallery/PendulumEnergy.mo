model PendulumEnergy "Cellier/Kofman Eq. 8.118-8.121: pendulum in the angle, with energy bookkeeping; add constraint Ef = 0 as invariant"
  constant Real pi = 3.14159265358979323846264338327950288;
  parameter Real g = 9.81, m = 10.0, len = 1.0;
  parameter Real y0 = len*cos(pi/4);
  Real phi(start = pi/4, fixed = true), w(start = 0.0, fixed = true);
  Real x, y, vx, vy, dvx, dvy, acc, F, Ep, Ek, Ef;
equation
  x = len*sin(phi);
  y = len*cos(phi);
  vx = len*cos(phi)*w;
  vy = -len*sin(phi)*w;
  dvx = -(x*len*w^2 + x*cos(phi)*g)/(x*sin(phi) + y*cos(phi));
  acc = dvx/(len*cos(phi)) + sin(phi)/cos(phi)*w^2;
  dvy = -len*sin(phi)*acc - len*cos(phi)*w^2;
  F = m*g*len/y - m*len*dvy/y;
  Ep = m*g*(y0 - y);
  Ek = 0.5*m*vx^2 + 0.5*m*vy^2;
  Ef = Ep + Ek "must stay 0";
  der(phi) = w;
  der(w) = acc;
  annotation(experiment(StopTime = 10, Interval = 0.01), Documentation(info = "Cellier and Kofman, (8.118) to (8.121); Ef is an invariant."));
end PendulumEnergy;
