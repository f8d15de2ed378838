// exit: 1
model M "17.1: one and only one state is the initial one"
  block State
    Integer n(start = 0) = previous(n) + 1;
  end State;
  State a, b;
equation
  initialState(a);
  initialState(b);
  transition(a, b, a.n > 3, immediate = false);
end M;
