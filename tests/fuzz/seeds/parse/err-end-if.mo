model A
  Real x;
equation
  if time > 1 then
    x = 1;
  end for;
  when x > 1 then
    x = 2;
  end if;
end A;
