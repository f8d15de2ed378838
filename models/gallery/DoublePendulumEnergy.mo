model DoublePendulumEnergy "planar double pendulum in its angles, with its energy; Ef is an invariant"
  parameter Real g = 9.81, m1 = 1.0, m2 = 0.5, l1 = 1.0, l2 = 0.7;
  parameter Real phi10 = 1.2, phi20 = -0.4;
  parameter Real E0 = -(m1 + m2)*g*l1*cos(phi10) - m2*g*l2*cos(phi20);
  Real phi1(start = phi10, fixed = true), phi2(start = phi20, fixed = true);
  Real w1(start = 0.0, fixed = true), w2(start = 0.0, fixed = true);
  Real a1, a2, d, Ek, Ep, Ef;
equation
  d = phi1 - phi2;
  (m1 + m2)*l1*a1 + m2*l2*(a2*cos(d) + w2^2*sin(d)) + (m1 + m2)*g*sin(phi1) = 0;
  l2*a2 + l1*(a1*cos(d) - w1^2*sin(d)) + g*sin(phi2) = 0;
  der(phi1) = w1;
  der(phi2) = w2;
  der(w1) = a1;
  der(w2) = a2;
  Ek = 0.5*(m1 + m2)*l1^2*w1^2 + 0.5*m2*l2^2*w2^2 + m2*l1*l2*w1*w2*cos(d);
  Ep = -(m1 + m2)*g*l1*cos(phi1) - m2*g*l2*cos(phi2);
  Ef = Ek + Ep - E0 "must stay 0";
  annotation(experiment(StopTime = 10, Interval = 0.01), Documentation(info = "The planar double pendulum; its energy Ef, measured from the start, is an invariant."));
end DoublePendulumEnergy;
