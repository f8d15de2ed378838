within Order;
model B
  Real x = g;
end B;
