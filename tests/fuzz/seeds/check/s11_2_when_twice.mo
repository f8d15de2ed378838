model M
  Integer mode(start = 0, fixed = true);
algorithm
  when time > 1 then
    mode := 1;
  end when;
  when time > 2 then
    mode := mode + 1;
  end when;
end M;
