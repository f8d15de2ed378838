model ArrMods
  model C
    parameter Real R = 1; parameter Real[2] q = {0, 0}; replaceable parameter Integer n = 1;
    Real y = R*time + sum(q)*n;
  end C;
  model D
    C c[2](each R = 5, q = {{1, 2}, {3, 4}}); parameter Real z = 0;
  end D;
  C a[3](R = {1, 2, 3}, each n = 2, q = fill({1, 1}, 3));
  D d[2](c(each n = 3, R = {{7, 8}, {9, 10}}), z = 4:5);
  Real s = sum(a.y), t = d[2].c[1].y, w = d[1].c[2].y;
  Real zz[2] = d.z;
equation
  assert(time < 0.999 or abs(s - (18)) < 2e-6*(1 + abs(18)), "s");
  assert(time < 0.999 or abs(t - (18)) < 2e-6*(1 + abs(18)), "t");
  assert(time < 0.999 or abs(w - (29)) < 2e-6*(1 + abs(29)), "w");
  assert(time < 0.999 or abs(zz[2] - (5)) < 2e-6*(1 + abs(5)), "zz[2]");
end ArrMods;
