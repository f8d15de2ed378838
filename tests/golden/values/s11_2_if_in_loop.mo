model M
  Real x[3];
  Integer k;
  Real y;
algorithm
  k := 0;
  y := 1;
  for i in 1:3 loop
    x[i] := i*time;
    if x[i] > 2 then
      k := i;
      if time > 5 then
        y := 7;
      end if;
      break;
    elseif x[i] > 1 then
      x[i] := 0;
    end if;
  end for;
end M;
