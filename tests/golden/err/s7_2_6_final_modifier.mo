model M
  type Angle = Real(final unit = "rad");
  Angle a(unit = "deg") = 1;
end M;
