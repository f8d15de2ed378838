model M
  model A
    parameter Real k = 1;
  end A;
  A a(k = 2, k = 3);
end M;
