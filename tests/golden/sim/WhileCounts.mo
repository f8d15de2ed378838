model WhileCounts "a while-loop from a counter that only the run knows"
  function next "the first from `last` on that has not passed"
    input Real point[:];
    input Integer last;
    input Real t;
    output Integer n;
  algorithm
    n := last;
    while n <= size(point, 1) and t >= point[min(n, size(point, 1))] loop
      n := n + 1;
    end while;
  end next;
  constant Real point[4] = {0.4, 0.9, 1, 2.2};
  Integer n(start = 1, fixed = true);
  Real k = next(point, 1 + integer(time/10), 3*time);
  Real passed = sum(if noEvent(3*time >= p) then 1 else 0 for p in point);
algorithm
  when sample(0, 0.25) then
    n := next(point, pre(n), 3*time);
  end when;
equation
  assert(abs(k - 1 - passed) < 1e-12, "the loop counts wrong");
  assert(time < 0.01 or abs(time - 0.25) > 0.01 or n == 2, "0.75 is after one point");
  assert(abs(time - 0.5) > 0.01 or n == 4, "1.5 is after three");
  assert(abs(time - 1) > 0.01 or n == 5, "3 is after all");
end WhileCounts;
