model M
  Real x = delay(time, time);
end M;
