model M
  Integer i;
algorithm
  i := 1.5;
end M;
