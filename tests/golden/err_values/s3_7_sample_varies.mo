model M
  Boolean b = sample(time, 1);
end M;
