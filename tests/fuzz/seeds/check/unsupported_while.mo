// exit: 3
model M
  function f
    input Real x;
    output Real y = 1;
  algorithm
    while y < x loop
      y := 2*y;
    end while;
  end f;
  Real a = f(time);
end M;
