model WhenFor "a for-equation inside when: all its turns, with all iterators"
  discrete Integer n[2, 3](each start = 0, each fixed = true);
equation
  when sample(0.5, 0.5) then
    for i in 1:2, j in 1:3 loop
      n[i, j] = pre(n[i, j]) + 10*i + j;
    end for;
  end when;
  when terminal() then
    assert(n[1, 1] == 22 and n[1, 2] == 24 and n[1, 3] == 26, "row 1");
    assert(n[2, 1] == 42 and n[2, 2] == 44 and n[2, 3] == 46, "row 2");
  end when;
end WhenFor;
