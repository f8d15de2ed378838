// exit: 1
model M "17.1: each state machine has one initial state"
  block State
    Integer n(start = 0) = previous(n) + 1;
  end State;
  State a, b;
equation
  transition(a, b, a.n > 3, immediate = false);
end M;
