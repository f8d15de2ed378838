package P
  model A
    Real x = 1;
  end A;
  model B
    Real x = 2;
  end B;
  model M
    extends A;
    extends B;
  end M;
end P;
