// what: integer() of a number beyond 32 bits
// watch: k = floor(exp(10*t + 1e-9))
// until: 2.148
// says: integer unbounded asserted
// methods: rk4
model HugeWhole
  Real x(start = 1, fixed = true);
  output Integer k;
equation
  der(x) = -x;
  k = noEvent(integer(exp(10*time)));
  annotation(experiment(StopTime = 3, Interval = 0.001));
end HugeWhole;
