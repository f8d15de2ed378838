// check: w1 3 2.242857142857143
// grid: 0.01
model ClutchGear "a clutch, a gear of ratio 2, a second clutch: all three wheels turn together from 16/7 on"
  Real w1(start = 4, fixed = true), w2(start = 0, fixed = true), w3(start = 0, fixed = true), a1, a2, a3, f, g;
  Boolean lf(start = false, fixed = true), lg(start = false, fixed = true);
  Real load = if time >= 2.5 then 0.3 else 0;
equation
  der(w1) = a1;
  der(w2) = a2;
  der(w3) = a3;
  a1 = -f;
  2*a2 = 2*f - g "the gear doubles the torque";
  a3 = g - load;
  0 = if lf then a1 - 2*a2 else f - 1;
  0 = if lg then a2 - a3 else g - 0.5;
  lf = pre(lf) or w1 <= 2*w2;
  lg = pre(lg) or w2 <= w3 and time > 0.5;
end ClutchGear;
