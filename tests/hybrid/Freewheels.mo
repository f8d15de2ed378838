// check: w4 6 4.088211810981714
// grid: 0.1
// seen: 0.02
model Freewheels "motor - clutch - shaft - clutch - gear - freewheel - load; MSL friction formulation"
  model Clutch
    parameter Real mu = 1;
    input Real fn;
    Real wrel, arel, tau, sa;
    Boolean free, locked(start = false), sf(start = false, fixed = true), sb(start = false, fixed = true);
    Integer mode(start = 3, fixed = true);
    Real c = mu*fn;
  equation
    free = fn <= 0;
    sf = pre(mode) == 0 and (sa > c or pre(sf) and sa > c) or pre(mode) == -1 and wrel > 1e-10 or initial() and wrel > 0;
    sb = pre(mode) == 0 and (sa < -c or pre(sb) and sa < -c) or pre(mode) == 1 and wrel < -1e-10 or initial() and wrel < 0;
    locked = not free and not (pre(mode) == 1 or sf or pre(mode) == -1 or sb);
    arel = if locked then 0 else if free then sa else if sf then sa - c else if sb then sa + c
      else if pre(mode) == 1 then sa - c else sa + c;
    tau = if locked then sa else if free then 0 else if sf or pre(mode) == 1 and not sb then c else -c;
    mode = if free then 2 else if (pre(mode) == 1 or pre(mode) == 2 or sf) and wrel > 0 then 1
      else if (pre(mode) == -1 or pre(mode) == 2 or sb) and wrel < 0 then -1 else 0;
  end Clutch;
  Real w1(start = 10, fixed = true), w2(start = 0, fixed = true), w3(start = 0, fixed = true), w4(start = 0, fixed = true);
  Real tf "freewheel", s;
  Boolean engaged(start = true, fixed = true);
  Clutch c1(fn = if time < 0.5 then 0 else if time < 3 then 4 else 1), c2(fn = if time < 1 then 0 else 3);
equation
  c1.wrel = w1 - w2;
  c1.arel = der(w1) - der(w2);
  c2.wrel = w2 - w3;
  c2.arel = der(w2) - der(w3);
  1*der(w1) = 2*cos(2*time) - c1.tau;
  0.5*der(w2) = c1.tau - c2.tau;
  0.8*der(w3) = c2.tau - tf - 0.1*w3;
  2*der(w4) = tf - 0.3*w4 + (if time > 4 then 3 else 0);
  0 = if engaged then der(w3) - der(w4) else tf;
  s = if engaged then tf else w4 - w3;
  engaged = if pre(engaged) then tf >= 0 else w3 - w4 > 0;
end Freewheels;
