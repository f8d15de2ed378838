model A
  Real x, größe;
  Boolean b;
equation
  b = x != 1 && true;
  b = x > 1 || !b;
  x = 7 % 2;
  x = 3 # comment
  ;
  x = 1 – 2;
end A;
