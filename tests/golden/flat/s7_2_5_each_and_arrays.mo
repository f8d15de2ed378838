model M
  model A
    parameter Real k = 1;
    Real x[2](each start = 5);
  equation
    x = {k, 2*k};
  end A;
  model B
    A a[2];
  end B;
  A a[2](k = {1, 2}), c[2](each k = 4);
  B b[2](a(k = {{1, 2}, {3, 4}}));
end M;
