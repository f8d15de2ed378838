model M
  Real Integer = 1;
end M;
