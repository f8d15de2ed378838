model UsesOrder
  Order.B b;
end UsesOrder;
