model M "what branches inside give in another order, joined by residuals"
  Real x;
  Boolean b;
equation
  if time > 1 then
    if time > 2 then
      x = 1;
      b = true;
    else
      b = time > 1.5;
      x = 4;
    end if;
  else
    2*x = 3;
    b = false;
  end if;
end M;
