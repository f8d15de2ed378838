package Order
  constant Real g = 9.81;
end Order;
