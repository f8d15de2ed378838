// check: x 3 -0.4
// grid: 0.02
model Impact "two moving bodies of 1 and 2, restitution 1/2; they meet at 10/9"
  parameter Real m1 = 1, m2 = 2, e = 0.5;
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  Real y(start = 2, fixed = true), w(start = -0.8, fixed = true);
equation
  der(x) = v;
  der(v) = 0;
  der(y) = w;
  der(w) = 0;
  when x >= y then
    reinit(v, (m1*pre(v) + m2*pre(w) + m2*e*(pre(w) - pre(v)))/(m1 + m2));
    reinit(w, (m1*pre(v) + m2*pre(w) + m1*e*(pre(v) - pre(w)))/(m1 + m2));
  end when;
end Impact;
