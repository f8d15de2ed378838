// exit: 1
model M "17.1: activeState() asks for a state, ticksInState() stands in one"
  block State
    Integer n(start = 0) = previous(n) + 1;
  end State;
  State a, b, c;
  Boolean on = activeState(c);
  Integer k = ticksInState();
equation
  initialState(a);
  transition(a, b, a.n > 3, immediate = false);
end M;
