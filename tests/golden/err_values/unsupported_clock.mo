// exit: 3
model M
  Real a = hold(time);
end M;
