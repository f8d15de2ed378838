model M
  Real x = sum(3);
end M;
