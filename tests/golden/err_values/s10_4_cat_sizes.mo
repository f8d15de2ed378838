model M
  Real x[3, 2] = cat(1, {{1, 2}}, {{1, 2, 3}});
end M;
