model M
  constant Integer x[:] = 1:0:3;
end M;
