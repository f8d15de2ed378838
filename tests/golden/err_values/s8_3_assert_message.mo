model M
equation
  assert(true, 1);
end M;
