model M
  Integer i = 1;
  Real x = der(i);
end M;
