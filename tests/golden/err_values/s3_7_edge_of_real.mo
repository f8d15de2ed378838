model M
  Real x = time;
  Boolean b = edge(x);
end M;
