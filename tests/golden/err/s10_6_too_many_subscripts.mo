model M
  model A
    Real x = 1;
  end A;
  A a[2];
  Real y = a[1, 2].x;
end M;
