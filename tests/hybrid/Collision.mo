// check: x2 3 2
// grid: 0.01
model Collision "masses 1 and 3, elastic: at 1 with -1/2 and 1/2"
  parameter Real m1 = 1, m2 = 3;
  Real x1(start = 0, fixed = true), x2(start = 1, fixed = true), v1(start = 1, fixed = true), v2(start = 0, fixed = true);
equation
  der(x1) = v1;
  der(x2) = v2;
  der(v1) = 0;
  der(v2) = 0;
  when x1 >= x2 then
    reinit(v1, ((m1 - m2)*pre(v1) + 2*m2*pre(v2))/(m1 + m2));
    reinit(v2, ((m2 - m1)*pre(v2) + 2*m1*pre(v1))/(m1 + m2));
  end when;
end Collision;
