// pre() of a variable that varies continuously is allowed inside of when, in
// equations and in algorithms.
model PreInWhen
  Real x = sin(time);
  discrete Real a;
  discrete Real b;
equation
  when time > 1 then
    a = pre(x);
  end when;
algorithm
  when time > 2 then
    b := pre(x);
  end when;
end PreInWhen;
