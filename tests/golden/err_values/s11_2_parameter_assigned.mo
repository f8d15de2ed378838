model M
  parameter Real p = 1;
algorithm
  p := 2;
end M;
