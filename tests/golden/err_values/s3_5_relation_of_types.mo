model M
  Boolean b = 1 == "1";
end M;
