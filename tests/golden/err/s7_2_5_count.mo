model M
  model A
    parameter Real k = 1;
  end A;
  A a[3](k = {1, 2});
end M;
