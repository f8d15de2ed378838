model A
  Real x;
equation
  x = 1;
  end if;
  else
  x = 2;
end A;
