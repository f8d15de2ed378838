// check: x 6 3.8707258838940817
// grid: 0.03
// seen: 0.03
model SelfTimed "sets its own next instant"
  Real x(start = 1, fixed = true);
  discrete Real next(start = 0.1, fixed = true), k(start = -1, fixed = true);
equation
  der(x) = k*x + 0.5;
  when time >= pre(next) then
    next = time + 0.05 + 0.1*x;
    k = -pre(k)*0.95;
  end when;
end SelfTimed;
