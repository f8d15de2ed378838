model M
  Boolean b = {1, 2} < {3, 4};
end M;
