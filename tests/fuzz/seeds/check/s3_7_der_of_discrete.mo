model M
  discrete Real d;
  Real x = der(d);
equation
  when time > 1 then
    d = 2;
  end when;
end M;
