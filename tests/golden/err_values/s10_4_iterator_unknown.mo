model M
  Real x[3] = {1 for i};
end M;
