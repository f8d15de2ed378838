/* 12.3: the condition of a when clause is not in it. */
model M
  impure function count
    output Real y;
  external "C" y = count_up();
  end count;
  discrete Real y(start = 0, fixed = true);
  Real z;
equation
  when count() > 3 then
    y = 1;
  end when;
algorithm
  z := count();
end M;
