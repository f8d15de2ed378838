model M
  Real x = sin("a");
end M;
