model M
  type E = enumeration(one, two);
  Real a[E];
  Boolean b[Boolean];
  Integer c[2, 3];
equation
  for i loop
    a[i] = Integer(i)*time;
  end for;
  for i loop
    b[i] = not i;
  end for;
  for i, j loop
    c[i, j] = 10*i + j;
  end for;
end M;
