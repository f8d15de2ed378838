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
  function squares
    input Integer n;
    output Integer y[n];
  algorithm
    for i loop
      y[i] := i*i;
    end for;
  end squares;
  constant Integer a = total({1, 10, 100}) "1 + 20 + 300";
  constant Integer b = odd({1, 10, 100}) "1 + 100";
  constant Integer c[4] = squares(4) "1, 4, 9, 16";
end M;
