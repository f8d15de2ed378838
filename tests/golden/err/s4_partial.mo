package P
  partial model A
    Real x;
  end A;
  model M
    A a;
  end M;
end P;
