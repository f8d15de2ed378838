// check: x 2 1.75
// grid: 1e-6
model AssertedTime "An assertion about time holds where the equations say so"
  Boolean late;
  Real x(start = 0, fixed = true);
equation
  late = time > 0.25;
  assert(late == (time > 0.25), "an assertion sees another time than an equation");
  der(x) = if late then 1 else 0;
end AssertedTime;
