model M
  parameter Real x[:];
end M;
