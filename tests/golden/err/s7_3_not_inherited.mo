model M
  model A
  end A;
  model B
    extends A;
    redeclare Real x = 1;
  end B;
  B b;
end M;
