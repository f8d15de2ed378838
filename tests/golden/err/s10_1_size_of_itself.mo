model M
  parameter Real x[size(x, 1)] = {1, 2};
end M;
