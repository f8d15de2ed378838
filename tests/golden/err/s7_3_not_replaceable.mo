model M
  model A
    Real x = 1;
  end A;
  model B
    extends A;
  end B;
  model C
    A a;
  end C;
  C c(redeclare B a);
end M;
