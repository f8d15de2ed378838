// check: y 1.6 -0.9385943223357921
// grid: 0.02
model Rope "a ball on a rope: taut or slack, planar"
  Real x(start = 0.5, fixed = true), y(start = 0.2, fixed = true), vx(start = 0, fixed = true), vy(start = 0, fixed = true), r2, vr;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = 0;
  der(vy) = -9.81;
  r2 = x^2 + y^2;
  vr = x*vx + y*vy;
  when r2 >= 1 then
    reinit(vx, pre(vx) - 1.8*pre(vr)*pre(x)/pre(r2));
    reinit(vy, pre(vy) - 1.8*pre(vr)*pre(y)/pre(r2));
  end when;
end Rope;
