model M
  model Source
    Real y = 1;
  end Source;
  model Other
    Real z = 1;
  end Other;
  model A
    replaceable Source s;
  end A;
  A a(redeclare Other s);
end M;
