model Each "each, final, redeclare in arrays of models"
  model A
    parameter Real k = 1;
    parameter Real v[2] = {1, 2};
    replaceable Base b constrainedby Base(c = 4);
    Real y = k*time + v[1]*v[2] + b.c;
  end A;
  model Base
    parameter Real c = 1;
  end Base;
  model Better
    extends Base;
    parameter Real extra = 8;
  end Better;
  A a[3](k = {1, 2, 3}, each v = {3, 4}, redeclare each Better b(extra = 5));
  A m[2, 2](each final k = 7, v = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}});
equation
  assert(abs(a[3].y - 3*time - 12 - 4) < 1e-12 and a[2].b.extra == 5, "a");
  assert(abs(m[2, 1].y - 7*time - 30 - 4) < 1e-12, "m");
end Each;
