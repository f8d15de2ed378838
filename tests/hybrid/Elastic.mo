// check: h 3.5 0.75
// grid: 0.02
model Elastic "g = 2, from 1, nothing lost: hits at 1 and 3"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -2;
  when h <= 0 then
    reinit(v, -pre(v));
  end when;
end Elastic;
