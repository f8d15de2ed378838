// exit: 1
model M "17.1: transitions from a state have different priorities"
  block State
    Integer n(start = 0) = previous(n) + 1;
  end State;
  State a, b, c;
equation
  initialState(a);
  transition(a, b, a.n > 3, immediate = false);
  transition(a, c, a.n > 4, immediate = false, priority = 1);
end M;
