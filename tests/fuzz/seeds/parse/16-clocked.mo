model Clocked
  Clock c = Clock(1, 1000);
equation
  when c then
    x = previous(x) + interval();
  end when;
  y = hold(superSample(x, 2));
  z = sample(u, Clock(Clock(0.1), solverMethod = "ImplicitEuler"));
  initialState(s1);
  transition(s1, s2, x > 1, immediate = false, reset = true);
  v = ticksInState() + timeInState();
  w = noClock(x) + backSample(subSample(x, 3), 1, 2);
end Clocked;
