model M
  function f
    input Real x;
    output Real y;
  algorithm
    when x > 1 then
      y := 1;
    end when;
  end f;
  Real a = f(time);
end M;
