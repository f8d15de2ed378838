// exit: 3
model M "clocks and state machines are refused by name"
  Real x = time "all are named in one run";
  Boolean b1 = firstTick();
  Real r1 = hold(x);
  Real r2 = previous(x);
  Real r3 = subSample(x, 2);
  Real r4 = superSample(x, 2);
  Real r5 = shiftSample(x, 1, 2);
  Real r6 = backSample(x, 1, 2);
  Real r7 = noClock(x);
  Real r8 = interval(x);
  Boolean b2 = activeState(x);
  Integer n = ticksInState();
  Real r9 = timeInState();
  Real r10 = spatialDistribution(x, x, x, true);
equation
  when Clock(0.1) then
  end when;
  initialState(x);
  transition(x, x, true);
end M;
