/* 12.3: a pure function cannot call one that is impure. */
model Impure
  impure function count
    input Real x;
    output Real y;
  algorithm
    y := x + 1;
  end count;
  pure function f
    input Real x;
    output Real y;
  algorithm
    y := count(x);
  end f;
  Real y = f(time);
end Impure;
