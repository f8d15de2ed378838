// check: v 1 0.25
// grid: 0.02
model Slide "force 2 t against dry friction 1: it slides from t = 1/2 on"
  Real v(start = 0, fixed = true), a, f, sa;
equation
  der(v) = a;
  a = 2*time - f;
  f = if sa > 1 then 1 else if sa < -1 then -1 else sa;
  a = if sa > 1 then sa - 1 else if sa < -1 then sa + 1 else 0;
end Slide;
