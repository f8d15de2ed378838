model M
  discrete Real x(start = 1);
equation
  when time > 1 then
    when time > 2 then
      x = 1;
    end when;
  end when;
end M;
