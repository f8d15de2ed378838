// check: vc 2 0.2706705664732254
// grid: 0.01
model BoostStart "a boost converter whose switch is closed from the start: its diode must not be taken to conduct"
  parameter Real L = 1, C = 1, R = 1, Vin = 1;
  Real iL(start = 1, fixed = true), vc(start = 2, fixed = true), vx, s, id, isw;
  Boolean on = time < 5, off = s < 0;
equation
  L*der(iL) = Vin - vx;
  C*der(vc) = id - vc/R;
  iL = id + isw;
  vx - vc = if off then s else 0;
  id = if off then 0 else s;
  0 = if on then vx else isw;
end BoostStart;
