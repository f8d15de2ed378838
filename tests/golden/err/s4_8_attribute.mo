model M
  Real u = time;
  Real x(start = u) = 2;
end M;
