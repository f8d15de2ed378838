// An assertion of a function holds where the call counts: below the conditions
// of if-expressions, of `and`, of if-statements and of the ways that returned.
model AssertionsOnAPath
  function f
    input Real x;
    input String at;
    output Real y;
  algorithm
    assert(x > 5, at);
    y := x;
  end f;
  function g
    input Real x;
    input Real u;
    output Real y;
  algorithm
    if x > 1 then
      y := f(u, "then");
    elseif x > 2 then
      y := f(u, "elseif");
    else
      y := f(u, "else");
    end if;
    if x > 3 then
      return;
    end if;
    y := y + f(u, "not returned");
    for i in 1:2 loop
      if x > 10*i then
        break;
      end if;
      y := y + f(u, "turn " + String(i));
    end for;
    y := y + f(u, "after the loop");
  end g;
  Real x = time;
  Real u = 2*time;
  Real v[2] = {time, 2};
  Integer i = integer(time);
  Real a = if x > 1 then f(u, "if") elseif x > 2 then f(u, "elseif") else f(u, "else");
  Real b = if x > 4 and f(u, "and") > 0 then 1 else 0;
  Real c = if x > 6 then v[i] else 0;
  Real d = g(x, u);
  Real e;
algorithm
  if x > 7 then
    e := f(u, "section, then");
  else
    e := f(u, "section, else");
  end if;
end AssertionsOnAPath;
