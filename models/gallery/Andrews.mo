model Andrews "Andrews' squeezing mechanism: 7 bodies, 3 closed loops, index-3 DAE (27 unknowns plus auxiliaries)"
  parameter Real m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.0705, m6 = 0.00706, m7 = 0.05498;
  parameter Real I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7, I7 = 1.912e-5;
  parameter Real xA = -0.06934, yA = -0.00227, xB = -0.03635, yB = 0.03273, xC = 0.014, yC = 0.072;
  parameter Real d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092;
  parameter Real ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sdd = 0.02;
  parameter Real ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449;
  parameter Real zf = 0.02, zt = 0.04, fa = 0.01421, c0 = 4530.0, l0 = 0.07785, drive = 0.033;
  Real be(start = -0.0617138900142764496358948458001, fixed = true), th(start = 0.0);
  Real ga(start = 0.455279819163070380255912382449), ph(start = 0.222668390165885884674473185609);
  Real de(start = 0.487364979543842550225598953530), om(start = -0.222668390165885884674473185609);
  Real ep(start = 1.23054744454982119249735015568);
  Real vbe(start = 0.0, fixed = true), vth(start = 0.0), vga(start = 0.0), vph(start = 0.0), vde(start = 0.0), vom(start = 0.0), vep(start = 0.0);
  Real abe(start = 14222.4439199541138705911625887), ath(start = -10666.8329399655854029433719415);
  Real aga(start = 0.0), aph(start = 0.0), ade(start = 0.0), aom(start = 0.0), aep(start = 0.0);
  Real la[6](start = {98.5668703962410896057654982170, -6.12268834425566265503114393122, 0.0, 0.0, 0.0, 0.0});
  Real xD, yD, ext, fs "spring end point, length and force coefficient";
  Real px, py "common pin position terms";
equation
  der(be) = vbe;
  der(th) = vth;
  der(ga) = vga;
  der(ph) = vph;
  der(de) = vde;
  der(om) = vom;
  der(ep) = vep;
  der(vbe) = abe;
  der(vth) = ath;
  der(vga) = aga;
  der(vph) = aph;
  der(vde) = ade;
  der(vom) = aom;
  der(vep) = aep;
  xD = sdd*cos(ga) + sc*sin(ga) + xB;
  yD = sdd*sin(ga) - sc*cos(ga) + yB;
  ext = sqrt((xD - xC)^2 + (yD - yC)^2);
  fs = -c0*(ext - l0)/ext;
  (m1*ra^2 + m2*(rr^2 - 2*da*rr*cos(th) + da^2) + I1 + I2)*abe + (m2*(da^2 - da*rr*cos(th)) + I2)*ath
    = drive - m2*da*rr*vth*(vth + 2*vbe)*sin(th)
    - (d*sin(be + th) - rr*sin(be))*(la[1] + la[3] + la[5]) - (rr*cos(be) - d*cos(be + th))*(la[2] + la[4] + la[6]);
  (m2*(da^2 - da*rr*cos(th)) + I2)*abe + (m2*da^2 + I2)*ath
    = m2*da*rr*vbe^2*sin(th) - d*sin(be + th)*(la[1] + la[3] + la[5]) + d*cos(be + th)*(la[2] + la[4] + la[6]);
  (m3*(sa^2 + sb^2) + I3)*aga = fs*(xD - xC)*(sc*cos(ga) - sdd*sin(ga)) + fs*(yD - yC)*(sdd*cos(ga) + sc*sin(ga))
    + ss*cos(ga)*la[1] + ss*sin(ga)*la[2];
  (m4*(e - ea)^2 + I4)*aph + (m4*((e - ea)^2 + zt*(e - ea)*sin(ph)) + I4)*ade
    = m4*zt*(e - ea)*vde^2*cos(ph) + e*cos(ph + de)*la[3] + e*sin(ph + de)*la[4];
  (m4*((e - ea)^2 + zt*(e - ea)*sin(ph)) + I4)*aph
    + (m4*(zt^2 + 2*zt*(e - ea)*sin(ph) + (e - ea)^2) + m5*(ta^2 + tb^2) + I4 + I5)*ade
    = -m4*zt*(e - ea)*vph*(vph + 2*vde)*cos(ph) + (e*cos(ph + de) - zt*sin(de))*la[3] + (e*sin(ph + de) + zt*cos(de))*la[4];
  (m6*(zf - fa)^2 + I6)*aom + (m6*((zf - fa)^2 - u*(zf - fa)*sin(om)) + I6)*aep
    = -m6*u*(zf - fa)*vep^2*cos(om) - zf*sin(om + ep)*la[5] + zf*cos(om + ep)*la[6];
  (m6*((zf - fa)^2 - u*(zf - fa)*sin(om)) + I6)*aom
    + (m6*((zf - fa)^2 - 2*u*(zf - fa)*sin(om) + u^2) + m7*(ua^2 + ub^2) + I6 + I7)*aep
    = m6*u*(zf - fa)*vom*(vom + 2*vep)*cos(om) - (zf*sin(om + ep) - u*cos(ep))*la[5] + (zf*cos(om + ep) + u*sin(ep))*la[6];
  px = rr*cos(be) - d*cos(be + th);
  py = rr*sin(be) - d*sin(be + th);
  px - ss*sin(ga) = xB;
  py + ss*cos(ga) = yB;
  px - e*sin(ph + de) - zt*cos(de) = xA;
  py + e*cos(ph + de) - zt*sin(de) = yA;
  px - zf*cos(om + ep) - u*sin(ep) = xA;
  py - zf*sin(om + ep) + u*cos(ep) = yA;
  annotation(experiment(StopTime = 0.03), Documentation(info = "7 bodies, 3 closed loops. Hairer and Wanner, Solving Ordinary Differential Equations II, VII.7."));
end Andrews;
