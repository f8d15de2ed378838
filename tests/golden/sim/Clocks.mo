/* Every operator of the synchronous language, on numbers that are easy to follow:
 * n counts ticks of 1/4 s. */
model Clocks
  Clock c = Clock(1, 4);
  Integer n(start = 0) "1 2 3 4 5";
  Integer half(start = 0) "of every second tick: 1 1 3 3 5";
  Integer twice(start = 0) "counts twice as often";
  Real late(start = -1) "n, half an interval later";
  Real early(start = -1) "n from its third tick on; before that nothing";
  Real seen(start = 0) "without a clock of its own";
  Real h "1/4";
  Boolean first;
  Real y "between the ticks";
  Real t "time of the last tick";
equation
  when c then
    n = previous(n) + 1;
    h = interval();
    first = firstTick();
    t = sample(time);
    seen = noClock(half);
  end when;
  half = subSample(n, 2);
  twice = previous(twice) + (if superSample(n, 2) > 2 then 10 else 1);
  late = shiftSample(n, 1, 2);
  early = backSample(shiftSample(n, 2), 1);
  y = hold(n) + 0.5;
end Clocks;
