// exit: 3
model M
  function f
    input Integer n;
    output Real y = 0;
  algorithm
    for i in 1:n loop
      y := y + i;
    end for;
  end f;
  Integer k = if time > 1 then 2 else 3;
  Real a = f(k);
end M;
