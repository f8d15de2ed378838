model M
  Real x = if 1 then 1 else 2;
end M;
