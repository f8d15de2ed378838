model M
  parameter Integer n = 3;
  parameter Boolean fast = true;
  Real x[n], y, z;
equation
  for i in 1:n loop
    x[i] = i*time;
  end for;
  if fast then
    y = 1;
  else
    y = 2;
  end if;
  if time > 1 then
    z = 1;
  elseif time > 0.5 then
    z = y;
  else
    2*z = 3;
  end if;
end M;
