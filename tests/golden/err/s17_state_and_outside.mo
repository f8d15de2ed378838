// exit: 1
model M "17.3.5: a variable is given values in states or outside of them"
  inner Integer v(start = 0);
  block State
    outer output Integer v;
  equation
    v = previous(v) + 1;
  end State;
  State a, b;
equation
  initialState(a);
  transition(a, b, v > 3, immediate = false);
  v = previous(v) + 2;
end M;
