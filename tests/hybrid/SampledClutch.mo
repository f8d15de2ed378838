// check: w1 4 0.6
// grid: 0.02
model SampledClutch "every 0.1 a controller sets the limit of a clutch by the slip; it locks, and holds under load"
  Real w1(start = 3, fixed = true), w2(start = 0, fixed = true), a1, a2, f, s;
  discrete Real u(start = 0.5, fixed = true);
  Boolean locked(start = false, fixed = true);
  Real load = if time >= 3 then 1.2 else 0;
equation
  when sample(0.05, 0.1) then
    u = 0.5 + 0.2*abs(w1 - w2);
  end when;
  der(w1) = a1;
  der(w2) = a2;
  a1 = -f;
  2*a2 = f - load;
  locked = if pre(locked) then s <= u else w1 <= w2;
  s = load/3 "what it holds while locked: both wheels slow down alike";
  f = if locked then s else u;
end SampledClutch;
