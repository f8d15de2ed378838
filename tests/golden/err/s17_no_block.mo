// exit: 1
model M "17.1: states are blocks, priorities start from 1"
  block State
    Integer n(start = 0) = previous(n) + 1;
  end State;
  State a, b;
  Real x = time;
equation
  initialState(x);
  initialState(a);
  transition(a, b, a.n > 3, immediate = false, priority = 0);
  when x > 1 then
    transition(b, a, true);
  end when;
end M;
