// exit: 0
model M
  function f
    input Real x;
    output Real y;
  algorithm
    if x > 0 then
      y := 1;
    end if;
  end f;
  Real a = f(time);
end M;
