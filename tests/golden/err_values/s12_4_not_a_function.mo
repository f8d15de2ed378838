model M
  Real f = 1;
  Real a = M.f(1);
end M;
