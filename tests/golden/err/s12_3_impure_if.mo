// takt: check --external
// exit: 3
/* An impure function that is called in some branches of a when clause only. */
model M
  impure function count
    output Real y;
  external "C" y = count_up();
  end count;
  discrete Real y(start = 0, fixed = true);
equation
  when sample(0, 0.1) then
    if time > 0.5 then
      y = count();
    else
      y = 1;
    end if;
  end when;
end M;
