model UsesInside
  Inside part;
end UsesInside;
