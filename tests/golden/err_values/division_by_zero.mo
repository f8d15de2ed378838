model M
  constant Real x = 1/0;
  constant Integer i = div(3, 0);
  constant Real y = sqrt(-1);
end M;
