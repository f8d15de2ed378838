model M
  connector P
    Real v;
    flow Real i;
  end P;
  P a, b;
equation
  if time > 1 then
    connect(a, b);
  end if;
end M;
