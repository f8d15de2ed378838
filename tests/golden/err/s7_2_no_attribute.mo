model M
  Real x(strat = 1) = 2;
end M;
