model M
  type E = enumeration(low, max);
  E e = E.low;
end M;
