model M
  function f
    input Integer n;
    output Integer y = 0;
  algorithm
    while n > 0 loop
      y := 1;
    end while;
  end f;
  constant Integer a = f(1);
end M;
