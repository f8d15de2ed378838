model SmHier "hierarchical machine on its clock against its recursion"
  Integer tick(start = 0);
  inner Integer n(start = 0);
  model Count
    outer output Integer n;
    parameter Integer d = 1;
  equation
    n = previous(n) + d;
  end Count;
  Count up(d = 1), down(d = -2);
  Boolean inUp = activeState(up);
  Integer m(start = 0), want(start = 0);
  Boolean goingUp(start = true);
equation
  initialState(up);
  transition(up, down, n >= 4, immediate = false);
  transition(down, up, n <= 0, immediate = false);
  tick = sample(integer(floor(10*time + 0.5)), Clock(1, 10));
  m = n + 0*tick;
  goingUp = if previous(goingUp) then previous(want) < 4 else previous(want) <= 0;
  want = previous(want) + (if goingUp then 1 else -2);
  assert(m == want, "sequence");
  assert(inUp == goingUp, "state");
end SmHier;
