model M
  Real x(start = 1), y = time;
equation
  when time > 1 then
    2*x = 2 + x;
  end when;
end M;
