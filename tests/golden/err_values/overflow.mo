model M
  constant Integer i = 2147483647 + 1;
  constant Integer j = 65536*65536;
end M;
