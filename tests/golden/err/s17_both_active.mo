// exit: 1
model M "17: two machines at once cannot give a variable its values"
  inner Integer v(start = 0);
  block State
    outer output Integer v;
  equation
    v = previous(v) + 1;
  end State;
  State a, b, c, d;
equation
  initialState(a);
  transition(a, b, v > 3, immediate = false);
  initialState(c);
  transition(c, d, v > 3, immediate = false);
end M;
