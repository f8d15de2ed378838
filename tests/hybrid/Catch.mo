// check: x 2 1.459362684932784
// grid: 0.02
model Catch "a mass meets another on a spring at 1 and stays with it"
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  Real y(start = 1, fixed = true), w(start = 0, fixed = true);
  Boolean caught(start = false, fixed = true);
equation
  der(x) = v;
  der(y) = w;
  der(v) = if caught then -(y - 1)/2 else 0;
  der(w) = if caught then -(y - 1)/2 else -(y - 1);
  when x >= y then
    caught = true;
    reinit(v, (pre(v) + pre(w))/2);
    reinit(w, (pre(v) + pre(w))/2);
  end when;
end Catch;
