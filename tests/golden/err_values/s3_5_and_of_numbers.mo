model M
  Boolean b = true and 1;
end M;
