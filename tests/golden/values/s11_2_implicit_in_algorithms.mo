model M "ranges that are not given, in statements: from the subscripts inside"
  function total
    input Integer u[:];
    output Integer y = 0;
  algorithm
    for i loop
      y := y + i*u[i];
    end for;
  end total;
  function odd "the sum at odd places"
    input Integer u[:];
    output Integer y = 0;
  algorithm
    for i loop
      if mod(i, 2) == 1 then
        y := y + u[i];
      end if;
    end for;
  end odd;
  constant Integer a = total({1, 10, 100}) "1 + 20 + 300";
  constant Integer b = odd({1, 10, 100}) "1 + 100";
end M;
