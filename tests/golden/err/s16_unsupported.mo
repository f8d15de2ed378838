// exit: 3
model M "state machines are refused by name"
  Real x = time "all are named in one run";
  Boolean b2 = activeState(x);
  Integer n = ticksInState();
  Real r9 = timeInState();
  Real r10 = spatialDistribution(x, x, x, true);
equation
  initialState(x);
  transition(x, x, true);
end M;
