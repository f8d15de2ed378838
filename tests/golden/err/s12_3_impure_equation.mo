/* 12.3: neither an equation nor what it calls may call an impure function. */
model M
  impure function count
    output Real y;
  external "C" y = count_up();
  end count;
  function f
    input Real u;
    output Real y;
  algorithm
    y := u + count();
  end f;
  Real y, z;
equation
  y = if count() > 3 then 1 else 2;
  z = f(time);
end M;
