model Gear "Two wheels on a gear: a constant constraint, states chosen once"
  parameter Real J1 = 1, J2 = 2, ratio = 3;
  Real phi1(start = 0, fixed = true), w1(start = 1, fixed = true);
  Real phi2, w2, tau1, tau2;
equation
  der(phi1) = w1;
  der(phi2) = w2;
  J1*der(w1) = sin(time) + tau1;
  J2*der(w2) = tau2;
  phi1 = ratio*phi2;
  0 = ratio*tau1 + tau2;
end Gear;
