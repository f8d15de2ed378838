model A
equation
  if x > 1 do
    y = 1;
  end if;
  for i in 1:3
    y[i] = 1;
  end for;
  for 3 in 1:3 loop
    y = 1;
  end for;
  when x > 1 y = 2; end when;
end A;
