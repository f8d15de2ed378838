model FarStart "Start values that cannot all be kept"
  Real x(start = 5, fixed = true), y(start = 7, fixed = true), u, v, l;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -l*x;
  der(v) = -l*y - 9.81;
  x^2 + y^2 = 1;
end FarStart;
