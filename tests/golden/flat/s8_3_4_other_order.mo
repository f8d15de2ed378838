model M "branches of an if-equation give the same variables in another order"
  Real x;
  Integer n;
  Boolean b;
equation
  if time > 1 then
    x = 1;
    n = 2;
    b = true;
  else
    n = 3;
    b = time > 2;
    x = 4;
  end if;
end M;
