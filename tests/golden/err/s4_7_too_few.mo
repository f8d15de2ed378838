package P
  model Source
    Real a = 1;
    Real b;
  end Source;
  model M
    Source s1, s2;
  equation
    s1.b = 2;
  end M;
end P;
