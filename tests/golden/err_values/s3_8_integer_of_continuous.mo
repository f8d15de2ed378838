model M
  function f
    input Real x;
    output Integer i;
  algorithm
    i := integer(x);
  end f;
  Integer i;
equation
  i = f(time);
end M;
