model M
  Real x = time;
  parameter Real p = x;
end M;
