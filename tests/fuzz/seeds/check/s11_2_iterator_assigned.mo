model M
  Integer x;
algorithm
  for i in 1:3 loop
    i := 2;
    x := i;
  end for;
end M;
