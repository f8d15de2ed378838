model M
  function f
    input Integer n;
    output Integer y;
  protected
    constant Integer c = f(1);
  algorithm
    y := c + n;
  end f;
  constant Integer a = f(1);
end M;
