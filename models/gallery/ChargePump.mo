model ChargePump "MOS charge pump: charges of the transistor as functions of its voltages"
  parameter Real CD = 0.4e-12, CS = 1.6e-12, Cox = 4e-12;
  parameter Real VT0 = 0.8, gamma = 0.035, phi = 1.01;
  parameter Real VFB = VT0 - gamma*sqrt(phi) - phi;
  Real qg(nominal = 1e-12), qcs(nominal = 1e-12), qs(nominal = 1e-12), qcd(nominal = 1e-12), qd(nominal = 1e-12);
  Real u1(start = 0), u2(start = 0, fixed = true), u3(start = 0, fixed = true);
  Real ig(nominal = 1e-3);
  Real Vin, tau, vte, ust, udt, root;
equation
  tau = 1e9*time - 120*noEvent(floor(1e9*time/120));
  Vin = noEvent(if tau < 50 then 0 else if tau < 60 then 2*(tau - 50) else if tau < 110 then 20 else 2*(120 - tau));
  der(qg) = -ig;
  der(qcs) + der(qs) = 0;
  der(qcd) + der(qd) = 0;
  u1 = Vin;
  qcs = CS*u2;
  qcd = CD*u3;
  root = noEvent(sqrt(max(phi + u2, 1e-3)));
  vte = VT0 + gamma*(root - sqrt(phi));
  ust = u1 - u2 - vte;
  udt = noEvent(if u1 - u3 > vte then u1 - u3 - vte else 0);
  qg = noEvent(if u1 <= VFB then Cox*(u1 - VFB)
    else if u1 - u2 <= vte then Cox*gamma*(sqrt((gamma/2)^2 + u1 - VFB) - gamma/2)
    else Cox*(2/3*(udt + ust - udt*ust/(udt + ust)) + gamma*root));
  qs = noEvent(if u1 <= VFB or u1 - u2 <= vte then 0 else -0.5*(qg - Cox*gamma*root));
  qd = noEvent(if u1 <= VFB or u1 - u2 <= vte then 0 else -0.5*(qg - Cox*gamma*root));
  annotation(experiment(StopTime = 1.2e-6), Documentation(info = "Test Set for Initial Value Problem Solvers, charge pump: charges of source and drain enter by the derivatives of their sums alone, so the sums are the states and the charge is kept to rounding, whatever the method."));
end ChargePump;
