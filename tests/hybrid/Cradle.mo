// check: x3 3.5 3.5
// grid: 0.01
model Cradle "three equal masses hand on their speed, at 1 and at 2"
  Real x1(start = 0, fixed = true), x2(start = 1, fixed = true), x3(start = 2, fixed = true);
  Real v1(start = 1, fixed = true), v2(start = 0, fixed = true), v3(start = 0, fixed = true);
equation
  der(x1) = v1;
  der(x2) = v2;
  der(x3) = v3;
  der(v1) = 0;
  der(v2) = 0;
  der(v3) = 0;
  when x1 >= x2 and v1 > v2 then
    reinit(v1, pre(v2));
    reinit(v2, pre(v1));
  elsewhen x2 >= x3 and v2 > v3 then
    reinit(v2, pre(v3));
    reinit(v3, pre(v2));
  end when;
end Cradle;
