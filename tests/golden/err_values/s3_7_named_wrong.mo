model M
  Real x = homotopy(actual = time, simple = 1);
end M;
