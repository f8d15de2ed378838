// check: sum 2 0.9
// grid: 0.02
model Stale "a tenth after each rise of e, at 0.35 and 1.35 but not before: 0.35 + 0.55 from the second"
  Boolean e, fire;
  discrete Real t0(start = 100, fixed = true), sum(start = 0, fixed = true);
equation
  e = time > 0.25 and time < 0.75 or time > 1.25 and time < 1.75;
  when e then
    t0 = time;
  end when;
  fire = e and time >= t0 + 0.1;
  when fire then
    sum = pre(sum) + time - (if time > 1 then 0.8 else 0);
  end when;
end Stale;
