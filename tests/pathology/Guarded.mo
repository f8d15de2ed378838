// what: a function that may only be called where a condition holds
// watch: y = t > 0.5 ? sqrt(t - 0.5) : 0
// says: asserted
model Guarded
  function root
    input Real x;
    output Real y;
  algorithm
    assert(x >= 0, "the root of a negative number");
    y := sqrt(x);
  end root;
  Real x(start = -0.5, fixed = true);
  output Real y;
equation
  der(x) = 1;
  y = if x > 0 then root(x) else 0;
  annotation(experiment(StopTime = 1, Interval = 0.01));
end Guarded;
