// What is not used leaves nothing: no assertion of the function, no use of pre.
model UnusedOperand
  function f
    input Real x;
    output Boolean y;
  algorithm
    assert(x > 5, "f needs x > 5");
    y := x > 0;
  end f;
  Real x = time;
  Real v[2] = {time, 2};
  Integer i = integer(time);
  Boolean a = false and f(x);
  Boolean b = true or f(x);
  Boolean c = false and pre(x) > 1;
  Boolean d = false and v[i] > 1;
  Real used = if x > 1 and f(x) then 1 else 0;
end UnusedOperand;
