model M
  Integer n;
equation
  when time > 1 then
    reinit(n, 2);
  end when;
  n = 1;
end M;
