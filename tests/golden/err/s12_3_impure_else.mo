/* 12.3: what an algorithm does when it is not initial() any more. */
model M
  impure function read
    output Real y;
  algorithm
    y := 2;
  end read;
  Real y(start = 0);
algorithm
  if initial() then
    y := 1;
  else
    y := read();
  end if;
end M;
