model Hires "High irradiance response of photomorphogenesis, 8 stiff ODEs"
  parameter Real kAct = 1.71, kRev = 0.43, kBind = 8.32, kRel = 0.69;
  parameter Real kSlow = 0.035, kFast = 280.0, kSrc = 0.0007;
  Real pr(start = 1.0, fixed = true);
  Real pfr(start = 0.0, fixed = true);
  Real prx(start = 0.0, fixed = true);
  Real pfrx(start = 0.0, fixed = true);
  Real prx2(start = 0.0, fixed = true);
  Real pfrx2(start = 0.0, fixed = true);
  Real pfrx2e(start = 0.0, fixed = true);
  Real enz(start = 0.0057, fixed = true);
  Real bindRate "rate of complex formation";
equation
  bindRate = kFast*pfrx2*enz;
  der(pr) = -kAct*pr + kRev*pfr + kBind*prx + kSrc;
  der(pfr) = kAct*pr - (kRev + kBind)*pfr;
  der(prx) = -(kBind + kAct)*prx + kRev*pfrx + kSlow*prx2;
  der(pfrx) = kBind*pfr + kAct*prx - (kRel + kRev)*pfrx;
  der(prx2) = -(kSlow + kAct)*prx2 + kRev*(pfrx2 + pfrx2e);
  der(pfrx2) = -bindRate + kRel*pfrx + kAct*prx2 - kRev*pfrx2 + kRel*pfrx2e;
  der(pfrx2e) = bindRate - (kRev + 2*kRel)*pfrx2e;
  der(enz) = -bindRate + (kRev + 2*kRel)*pfrx2e;
  annotation(experiment(StopTime = 321.8122), Documentation(info = "Test Set for Initial Value Problem Solvers, hires."));
end Hires;
