model M
  Real x = delay(time, -1);
end M;
