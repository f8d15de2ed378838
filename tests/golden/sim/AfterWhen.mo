model AfterWhen "what follows a when-statement sees the values it set"
  discrete Integer n(start = 0, fixed = true);
  discrete Integer m(start = 0, fixed = true);
  discrete Integer total(start = 0, fixed = true);
algorithm
  when sample(0.25, 0.25) then
    n := pre(n) + 1;
    m := pre(m) + 10;
  end when;
  when sample(0.25, 0.25) then
    total := pre(total) + n + m;
  end when;
equation
  when terminal() then
    assert(n == 4 and m == 40, "four ticks");
    assert(total == 1 + 2 + 3 + 4 + 10 + 20 + 30 + 40, "the new values");
  end when;
end AfterWhen;
