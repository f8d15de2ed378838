model M
  model A
    final parameter Real k = 1;
  end A;
  A a(k = 2);
end M;
