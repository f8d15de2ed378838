model Machines "states, their ticks and times"
  inner Integer v(start = 0);
  block Up
    outer output Integer v;
    Integer ticks = ticksInState();
    Real t = timeInState();
  equation
    v = previous(v) + 1;
  end Up;
  block Down
    outer output Integer v;
  equation
    v = previous(v) - 2;
  end Down;
  Up up;
  Down down;
  Boolean is_up = activeState(up);
  Clock c = Clock(1, 8);
  Integer n(start = 0) "1 to 9";
  constant Integer values[9] = {1, 2, 3, 1, 2, 3, 1, 2, 3};
  constant Integer ticks[9] = {1, 2, 3, 3, 1, 2, 2, 1, 2};
equation
  when c then
    n = previous(n) + 1;
    assert(v == values[n], "v");
    assert(up.ticks == ticks[n], "ticksInState");
    assert(abs(up.t - (ticks[n] - 1)/8) < 1e-12, "timeInState");
    assert(is_up == (n <> 4 and n <> 7), "activeState");
  end when;
  initialState(up);
  transition(up, down, v >= 3, immediate = false);
  transition(down, up, previous(v) <= 1, reset = false);
end Machines;
