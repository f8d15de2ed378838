model HydraulicClutch "A pump fills a clutch through orifices, then stops"
  // Between pump and filter there is no volume: the pressure at the pump is
  // algebraic and follows from the flow by the law of an orifice,
  // q = k sqrt(dp). When the flow stops, dp comes to rest where the law is
  // steepest, and Newton's method jumps from side to side (Schiela 5.5;
  // docs/methods/damping.md).
  parameter Real D(unit = "m3/rad") = 8e-7 "Displacement of the pump";
  parameter Real T(unit = "s") = 1e-4 "Of the drive that holds its speed";
  parameter Real kf = 2e-7 "Filter, m3/s at a difference of 1 Pa";
  parameter Real kv = 1.5e-7 "Orifice in front of the clutch";
  parameter Real kl = 3e-8 "Leak to the tank";
  parameter Real dpMin(unit = "Pa") = 0.01 "Below it the law is smooth";
  parameter Real V(unit = "m3") = 2e-5 "Oil in the line";
  parameter Real beta(unit = "Pa") = 1.2e9 "Bulk modulus";
  parameter Real A(unit = "m2") = 3e-3 "Area of the piston";
  parameter Real c(unit = "N/m") = 8e5 "Spring of the clutch";
  Real speed(unit = "rad/s") "What the drive is told";
  Real w(unit = "rad/s", start = 0, fixed = true, nominal = 100) "Pump";
  Real pp(unit = "Pa", start = 0, nominal = 1e5) "At the pump";
  Real pl(unit = "Pa", start = 0, fixed = true, nominal = 1e5) "Line";
  Real pc(unit = "Pa", start = 0, fixed = true, nominal = 1e5) "Clutch";
  output Real torque(unit = "N.m") "Of the pump";
  output Real x(unit = "m") "Piston";
  Real qf(unit = "m3/s"), qv(unit = "m3/s"), ql(unit = "m3/s");

  function orifice "q = k sqrt(dp), in both directions"
    input Real k;
    input Real dp;
    input Real dpMin;
    output Real q;
  algorithm
    q := noEvent(if dp >= 0 then k*(sqrt(dp + dpMin) - sqrt(dpMin))
      else k*(sqrt(dpMin) - sqrt(dpMin - dp)));
    annotation(Inline = true);
  end orifice;
equation
  speed = if time > 0.02 and time < 0.25 then 100 else 0;
  T*der(w) = speed - w;
  D*w = qf;
  qf = orifice(kf, pp - pl, dpMin);
  qv = orifice(kv, pl - pc, dpMin);
  ql = orifice(kl, pl, dpMin);
  V/beta*der(pl) = qf - qv - ql;
  A^2/c*der(pc) = qv;
  A*pc = c*x;
  torque = D*pp;
  annotation(experiment(StopTime = 0.5, Interval = 0.001));
end HydraulicClutch;
