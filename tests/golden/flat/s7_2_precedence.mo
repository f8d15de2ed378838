package P
  model A
    parameter Real k = 1;
    parameter Real l = 2*k;
    Real x = k + l;
  end A;
  model B
    extends A(k = 2);
  end B;
  model M
    B b(k = 3), c;
    parameter Real k = 7;
    A a(k = k, x(start = 1));
  end M;
end P;
