model M
  Real x = 1 + "a";
  Boolean b = not 3;
  Real y = -true;
end M;
