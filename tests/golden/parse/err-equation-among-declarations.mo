model A
  Real x;
  x = 1;
  der(x) = 2;
  if x > 1 then x = 2; end if;
end A;
