// check: x 5 0.3822257152874848
// grid: 0.02
model Coulomb "x'' = -x, dry friction 0.1: from 2 to -1.8 and back"
  Real x(start = 2, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x - (if v > 0 then 0.1 else -0.1);
end Coulomb;
