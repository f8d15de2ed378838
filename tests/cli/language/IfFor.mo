model IfFor
  parameter Integer mode = 2; parameter Boolean more = true;
  Real x, y, z[3, 4];
  parameter Integer n = 3;
equation
  if mode == 1 then
    x = 1; y = 2;
  elseif mode == 2 then
    x + y = 10;
    if more then
      x - y = 2;
    else
      x = 0;
    end if;
  else
    x = 3; y = time;
  end if;
  for i in 1:n loop
    for j in 1:i loop
      z[i, j] = i*j;
    end for;
    for j in i + 1:4 loop
      z[i, j] = -1;
    end for;
  end for;
equation
  assert(time < 0.999 or abs(x - (6)) < 2e-6*(1 + abs(6)), "x");
  assert(time < 0.999 or abs(y - (4)) < 2e-6*(1 + abs(4)), "y");
  assert(time < 0.999 or abs(z[3,2] - (6)) < 2e-6*(1 + abs(6)), "z[3,2]");
  assert(time < 0.999 or abs(z[1,4] - (-1)) < 2e-6*(1 + abs(-1)), "z[1,4]");
end IfFor;
