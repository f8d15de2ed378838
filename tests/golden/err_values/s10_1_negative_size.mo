model M
  Real x[2] = zeros(-1);
end M;
