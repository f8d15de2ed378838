// exit: 3
model RecursionAtRun "ends after six calls, which only the run knows"
  function f
    input Real n;
    output Real y;
  algorithm
    y := if n > 5 then n else f(n + 1);
  end f;
  Real x = f(time);
end RecursionAtRun;
