model Names
  model Sub
    String n = getInstanceName();
    Integer len = length(getInstanceName());
  end Sub;
  function length
    input String s; output Integer n;
    external "C" n = ModelicaStrings_length(s);
  end length;
  Sub s[2]; Sub deep;
  model Base
    Sub keep, gone; Real x, y;
  equation
    x = 1; y = gone.len;
  end Base;
equation
  assert(time < 0.999 or abs(s[2].len - (10)) < 2e-6*(1 + abs(10)), "s[2].len");
  assert(time < 0.999 or abs(deep.len - (10)) < 2e-6*(1 + abs(10)), "deep.len");
end Names;
